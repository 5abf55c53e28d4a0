/**
 * The key of `authorization: Bearer <key>`, with any case of the scheme and one or more spaces (RFC 9110, 11.1 and
 * 11.4). `undefined`: there is no such header, there are several such headers, or the text cannot be a key.
 *
 * @param authorization - the header's text; null: there is no such header.
 */
export const bearerKey = (authorization: string | null): string | undefined =>
  /^Bearer +([\x21-\x7e]{1,256})$/i.exec(authorization ?? "")?.[1];
