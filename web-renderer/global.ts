/** The entry of sb-renderer.min.js, which defines one global: SBRenderer. */
import { ofDocument, scriptOrigin } from "./dom.ts";
import { SBRenderer } from "./sb-renderer.ts";

// currentScript is set only while a script with an address runs for the first time. A relative address counts as the
// page's own: a `<base>` that came after the request for the script could lead it to a stranger's site.
try {
  const script = ofDocument("currentScript") as unknown as { attributes: { src: Attr } };
  scriptOrigin.value = new URL(script.attributes.src.value, location.href).origin;
} catch {}
// The global is assigned and not exported, because webpack's code for exports has 90 bytes.
Object.assign(globalThis, { SBRenderer });
