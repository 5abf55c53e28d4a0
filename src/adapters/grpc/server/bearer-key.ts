/** The key of `authorization: Bearer <key>`; `undefined`: none, several, or no key's text. */
export const bearerKey = (header: Headers): string | undefined => /^Bearer ([\x21-\x7e]{1,256})$/i.exec(header.get("authorization") ?? "")?.[1];
