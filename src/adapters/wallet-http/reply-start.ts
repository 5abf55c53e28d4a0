/**
 * The beginning of a wallet's reply that was not a valid answer, for the attempt log. It shows, for example, a wrong
 * path or a proxy's error page.
 */
import type { WalletTarget } from "../../ports/wallet.ts";

/** The maximum of bytes that are kept, after masking and escaping. */
const KEPT_BYTES = 200;
/**
 * The number of bytes that are masked before the text is cut to 200 bytes. A mask is shorter than the text that it
 * replaces.
 */
const READ_BYTES = 4_096;
const MASK = "***";

type Secrets = Pick<WalletTarget, "secret" | "nextSecret">;

/**
 * The first 200 bytes of a body, as UTF-8 text that ends at a whole character. Secrets and tokens are masked, control
 * characters are written as escapes. `undefined`: the body is empty.
 *
 * @param secrets - the merchant's secrets, which a wallet may have printed by mistake.
 * @param coding - the reply's Content-Encoding, if it has another one than identity. It is put before the bytes, which
 *   nobody can read then.
 */
export function replyStart(body: Buffer, secrets: Secrets, coding?: string): string | undefined {
  if (body.length === 0) return undefined;
  // With `stream`, a character that the cut has split is left out.
  const read = new TextDecoder().decode(body.subarray(0, READ_BYTES), { stream: true });
  // The read bytes may end inside a token, and the rules below would not recognise a part of it.
  const whole = body.length > READ_BYTES ? read.replace(LAST_RUN, "") : read;
  let text = coding === undefined ? "" : `Content-Encoding: ${coding}: `;
  let bytes = text.length;
  for (const character of masked(whole, secrets)) {
    const shown = UNSHOWN.test(character) ? escaped(character) : character;
    bytes += Buffer.byteLength(shown);
    if (bytes > KEPT_BYTES) break;
    text += shown;
  }
  return text;
}

/**
 * With the look-behind, the search starts only once for each run of such characters. Without it, the search time grows
 * with the square of the run's length.
 */
const LAST_RUN = /(?<![\w+/=.-])[\w+/=.-]+$/;
/** Control characters, and invisible characters that end a line or change its direction. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped = (character: string): string =>
  SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** `name: value` and `name=value`, as in JSON, query strings, headers and code, with or without quotes. */
const NAMED =
  /((?:secret|token|passw(?:or)?d|api[-_]?key|authori[sz]ation|signature|cookie|session|nonce|credential)\w{0,20}["'\\]{0,2}\s{0,4}[:=]>?\s{0,4}\\?)(?:"[^"]*"?|'[^']*'?|(?:bearer|basic)\s+[^\s"'<>]+|[^\s"'&<>,;}]+)/gi;
const SCHEME = /\b(bearer|basic)\s+[^\s"'<>,;]+/gi;
const PREFIXED = /\b(?:sk|pk|whsec)_[\w-]+|\beyJ[\w-]+(?:\.[\w-]*)*/g;
const RUN = /[A-Za-z0-9+/=_-]{20,}/g;
/**
 * Whether a text is long and has a digit, like a key, a signature or an id. Words of a page and parts of a path are
 * shorter or have no digit.
 */
const isToken = (part: string): boolean => part.length >= 20 && /\d/.test(part);

function masked(text: string, { secret, nextSecret }: Secrets): string {
  return [secret, nextSecret]
    .reduce<string>((rest, known) => (known ? rest.replaceAll(known, MASK) : rest), text)
    .replace(NAMED, `$1${MASK}`)
    .replace(SCHEME, `$1 ${MASK}`)
    .replace(PREFIXED, MASK)
    .replace(RUN, (run) => {
      if (/\+|=$/.test(run) && isToken(run)) return MASK;
      return run
        .split("/")
        .map((part) => (isToken(part) ? MASK : part))
        .join("/");
    });
}
