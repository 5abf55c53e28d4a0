/** The entry of sb-renderer.min.js, which defines one global: SBRenderer. */
import { SBRenderer } from "./sb-renderer.ts";
import { scriptOrigin } from "./script-origin.ts";

// The document knows the script's tag only while the script runs for the first time.
const { src } = Object(globalThis.document?.currentScript) as Partial<HTMLScriptElement>;
if (src) scriptOrigin.value = new URL(src).origin;
// Set here rather than exported, because webpack's code for exports takes 90 bytes.
Object.assign(globalThis, { SBRenderer });
