/** The entry of sb-renderer.min.js, which defines one global: SBRenderer. */
import { scriptOrigin } from "./script-origin.ts";

export { SBRenderer } from "./sb-renderer.ts";

// The document knows the script's tag only while the script runs for the first time.
const script = typeof document === "undefined" ? null : document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== "") scriptOrigin.value = new URL(script.src).origin;
