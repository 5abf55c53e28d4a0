/** A step of webpack: keeps only the characters of a font that the page uses. */
import subsetFont from "subset-font";
import type { LoaderContext } from "webpack";

/** Webpack hands the file over as bytes. */
export const raw = true;

/**
 * Printable ASCII, the further letters of Portuguese and Spanish, and the signs that texts and prices have. Any other
 * character is shown in the system's font.
 */
export const CHARACTERS = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)),
  ..."\u00a0ÁÀÂÃÇÉÊÍÑÓÔÕÚÜáàâãçéêíñóôõúü¡¿ªº°·×−–—…′“”‘’€£",
].join("");

/** Kerning, and digits of one width: what the styles ask for. */
const FEATURES = ["kern", "tnum"];

export default function subset(this: LoaderContext<unknown>, font: Buffer): void {
  const done = this.async();
  subsetFont(font, CHARACTERS, { targetFormat: "woff2", keepFeatures: FEATURES }).then(
    (content) => done(null, content),
    (error: Error) => done(error),
  );
}
