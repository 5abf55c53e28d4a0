/**
 * The library's version, the same as in package.json. A published version's bytes never change, so every change of them
 * raises the version.
 */
export const LIBRARY_VERSION = "1.1.0";
