import { ofDocument } from "../dom.ts";
import { type Envelope, NAMESPACE, VERSION } from "../protocol.ts";

/** Sends a message from the frame to the parent page, if the parent page has this origin. */
export function tell(
  origin: string,
  kind: Envelope["kind"],
  name: string,
  { id, payload }: { readonly id?: string | undefined; readonly payload?: unknown } = {},
): void {
  const message: Envelope = {
    ns: NAMESPACE,
    v: VERSION,
    kind,
    name,
    ...(id !== undefined && { id }),
    ...(payload !== undefined && { payload }),
  };
  parent.postMessage(message, origin);
}

/** The parent page's origin, if the browser provides it. */
export function parentOrigin(): string | undefined {
  const told = location.ancestorOrigins?.[0] ?? ofDocument("referrer");
  const origin = told === "" || told === "null" ? undefined : new URL(told).origin;
  // After a click on a link inside the frame, the referrer is the frame's own address.
  return origin === location.origin ? undefined : origin;
}
