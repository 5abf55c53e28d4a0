/** The entry of sb-renderer.min.js, which defines one global: SBRenderer. */
import { SBRenderer } from "./sb-renderer.ts";
import { scriptOrigin } from "./script-origin.ts";

// The document knows the script's tag only while the script runs for the first time.
const script = typeof document === "undefined" ? null : document.currentScript;
if (script instanceof HTMLScriptElement && script.src !== "") scriptOrigin.value = new URL(script.src).origin;
// Set here rather than exported, because webpack's code for exports takes 90 bytes.
Object.assign(globalThis, { SBRenderer });
