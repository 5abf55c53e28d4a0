/** The beginning of a text that fits into `max` bytes of UTF-8. It is well-formed, so every database stores it. */
export function cutText(text: string, max: number): string {
  let part = text.slice(0, max);
  while (Buffer.byteLength(part) > max) part = part.slice(0, -1);
  // The cut may have divided a surrogate pair. The replacement has as many bytes as the half.
  return part.toWellFormed();
}
