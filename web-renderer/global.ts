/** The entry of sb-renderer.min.js: a script tag that leaves one global, SBRenderer. */
import { scriptOrigin } from "./script-origin.ts";

export { SBRenderer } from "./sb-renderer.ts";

// Only while the script runs for the first time does the document know its tag.
const script = typeof document === "undefined" ? null : document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== "") scriptOrigin.value = new URL(script.src).origin;
