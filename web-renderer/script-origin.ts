/**
 * The origin from which a script tag loaded the library, set by global.ts. undefined in the npm package, which is part
 * of the merchant's own script.
 */
export const scriptOrigin: { value?: string } = {};
