import { type Refusal, readEnvelope } from "../protocol.ts";
import { tell } from "./tell.ts";

/**
 * For the page that a sportsbook serves in place of its own when it cannot be shown: tells the library why, and the
 * library tells the merchant (onError). Any page may frame such a page, so it must show nothing of a player.
 */
export function refuse(code: Refusal): void {
  addEventListener("message", ({ source, origin, data }) => {
    const message = readEnvelope(data);
    // Nothing can be sent to a sandboxed page, whose origin is the text "null".
    if (source !== parent || parent === window || origin === "null") return;
    if (message?.kind === "handshake" && message.name === "hello") tell(origin, "refusal", code, { id: message.id });
  });
}
