/** The beginning of a wallet's reply that was no answer, for the attempt log. A wrong path or a proxy's page shows there. */
import type { WalletTarget } from "../../ports/wallet.ts";

/** The most bytes that are kept, after masking and escaping. */
const KEPT_BYTES = 200;
/** The number of bytes that are masked before the cut to 200. Masks are shorter than what they replace. */
const READ_BYTES = 4_096;
const MASK = "***";

type Secrets = Pick<WalletTarget, "secret" | "nextSecret">;

/**
 * The first 200 bytes of a body, as UTF-8 text that ends at a whole character. Secrets and tokens are masked, control
 * characters are written as escapes. `undefined`: the body is empty.
 *
 * @param secrets - the merchant's, which a wallet may have printed by mistake.
 */
export function replyStart(body: Buffer, secrets: Secrets): string | undefined {
  if (body.length === 0) return undefined;
  // `stream` drops a character that the cut has split.
  const read = new TextDecoder().decode(body.subarray(0, READ_BYTES), { stream: true });
  // The read bytes may end inside a token, and the rules below would not recognise a part of it.
  const whole = body.length > READ_BYTES ? read.replace(LAST_RUN, "") : read;
  let text = "";
  let bytes = 0;
  for (const character of masked(whole, secrets)) {
    const shown = UNSHOWN.test(character) ? escaped(character) : character;
    bytes += Buffer.byteLength(shown);
    if (bytes > KEPT_BYTES) break;
    text += shown;
  }
  return text;
}

/** The look-behind lets the search start once per run. Without it a long run costs the square of its length. */
const LAST_RUN = /(?<![\w+/=.-])[\w+/=.-]+$/;
/** Control characters and the invisible ones that end a line or turn its direction. */
const UNSHOWN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped = (character: string): string =>
  SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** `name: value` and `name=value` of JSON, query strings, headers and code, with or without quotes. */
const NAMED =
  /((?:secret|token|passw(?:or)?d|api[-_]?key|authori[sz]ation|signature|cookie|session|nonce|credential)\w{0,20}["'\\]{0,2}\s{0,4}[:=]>?\s{0,4}\\?)(?:"[^"]*"?|'[^']*'?|(?:bearer|basic)\s+[^\s"'<>]+|[^\s"'&<>,;}]+)/gi;
const SCHEME = /\b(bearer|basic)\s+[^\s"'<>,;]+/gi;
const PREFIXED = /\b(?:sk|pk|whsec)_[\w-]+|\beyJ[\w-]+(?:\.[\w-]*)*/g;
const RUN = /[A-Za-z0-9+/=_-]{20,}/g;
/** Long and with a digit: a key, a signature, an id. Words of a page and parts of a path are shorter or have no digit. */
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
