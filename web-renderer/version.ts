/**
 * The library's version, the same as in package.json. The bytes of a published version never change, so every change of
 * the bytes needs a new version.
 */
export const LIBRARY_VERSION = "1.1.2";
