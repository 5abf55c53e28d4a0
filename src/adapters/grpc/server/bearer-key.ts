/**
 * The key of `authorization: Bearer <key>`. `undefined`: there is no such header, there are several, or the text cannot
 * be a key.
 */
export const bearerKey = (header: Headers): string | undefined => /^Bearer ([\x21-\x7e]{1,256})$/i.exec(header.get("authorization") ?? "")?.[1];
