import { FORMULA } from "../web-files/csv.ts";
import { visible } from "../web-files/visible.ts";

const PROTECTED_SIGN = /\[U\+([0-9A-F]{4,6})\]/g;
const PROTECTED_BEGINNING = new RegExp(`^'(?=[\\t\\r\\n]|${FORMULA})`, "u");
const PROTECTED_SEPARATOR = new RegExp(`([,;|\\t\\r\\n])'(?=${FORMULA})`, "gu");

/** The text that protectedText most likely got. Two texts may be protected alike. */
export const unprotectedText = (text: string): string =>
  text
    .replace(PROTECTED_BEGINNING, "")
    .replace(PROTECTED_SEPARATOR, "$1")
    .replace(PROTECTED_SIGN, (shown, hex) => {
      const code = Number.parseInt(hex, 16);
      const sign = code > 0x10ffff ? "" : String.fromCodePoint(code);
      return visible(sign) === shown ? sign : shown;
    });
