import { type Refusal, readEnvelope } from "../protocol.ts";
import { parentOrigin, tell } from "./tell.ts";

/**
 * Sends the reason of a refusal to the library, which calls the merchant's onError. A sportsbook that cannot be shown
 * serves a separate page that calls this function. Any page may frame that page, so it must not show data of a player.
 */
export function refuse(code: Refusal): void {
  addEventListener("message", ({ source, origin, data }) => {
    const message = readEnvelope(data);
    // Nothing can be sent to a sandboxed page, whose origin is the text "null".
    if (source !== parent || parent === window || origin === "null") return;
    if (message?.kind === "handshake" && message.name === "hello") tell(origin, "refusal", code, { id: message.id });
  });
  // The first hello may have come before this listener.
  const origin = parentOrigin();
  if (origin !== undefined && parent !== window) tell(origin, "handshake", "here");
}
