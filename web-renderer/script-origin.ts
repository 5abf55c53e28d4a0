/** The origin that the script tag loaded the library from, set by global.ts; undefined in the npm package, which is part of the merchant's own script. */
export const scriptOrigin: { value: string | undefined } = { value: undefined };
