import type { WalletRequest } from "../connection.ts";

/**
 * The bytes of a POST over a connection that stays open (RFC 9112, 3 and 6).
 *
 * @param host - the value of the header Host.
 * @throws if the path or a header has another character than printable ASCII. So no value can end its line.
 */
export function postBytes(host: string, { path, headers, body }: WalletRequest): Buffer {
  let head = `POST ${checked(path, NO_TARGET)} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let i = 0; i < headers.length; i += 2)
    head += `${checked(headers[i] as string, NO_NAME)}: ${checked(headers[i + 1] as string, NO_VALUE)}\r\n`;
  head += `content-length: ${body.length}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + body.length);
  bytes.write(head, "latin1");
  body.copy(bytes, head.length);
  return bytes;
}

const NO_TARGET = /[^\x21-\x7e]/;
const NO_NAME = /[^\w-]/;
const NO_VALUE = /[^\x20-\x7e]/;

function checked(text: string, wrong: RegExp): string {
  if (wrong.test(text)) throw new Error("a wallet request must be printable ASCII");
  return text;
}
