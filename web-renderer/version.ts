/** Of the library; package.json's. A published version's bytes never change, so what changes them raises it. */
export const LIBRARY_VERSION = "1.0.0";
