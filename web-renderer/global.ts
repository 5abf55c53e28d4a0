/** The entry of sb-renderer.min.js, which defines one global: SBRenderer. */
import { SBRenderer } from "./sb-renderer.ts";
import { scriptOrigin } from "./script-origin.ts";

// document.currentScript is set only while the script runs for the first time.
const { src } = Object(globalThis.document?.currentScript) as Partial<HTMLScriptElement>;
if (src) scriptOrigin.value = new URL(src).origin;
// The global is assigned and not exported, because webpack's code for exports has 90 bytes.
Object.assign(globalThis, { SBRenderer });
