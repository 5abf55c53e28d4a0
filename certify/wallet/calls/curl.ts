/**
 * A callback as a line for a POSIX shell with curl and openssl. The line signs the callback itself, so it works at any
 * time. It reads the secrets from the environment.
 */
import { bodyOf } from "./callback.ts";
import { type SignedHeader, type Signer, WRONG_SECRET } from "./delivery.ts";
import type { Exchange } from "./wallet.ts";

const SIGNATURES = { "upper case": " | tr a-f A-F", "first half": " | cut -c 1-32", zeros: "" } as const;
const ZEROS = "0".repeat(64);

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curl({ callback, delivery }: Exchange, url: URL): string {
  const { account } = callback;
  const body = delivery.body ?? bodyOf(callback);
  const { signed = {}, signedBy = account, clock = 0 } = delivery;
  const shift = clock === 0 ? "" : clock < 0 ? ` - ${-clock / 1_000}` : ` + ${clock / 1_000}`;
  const seconds = shift === "" ? "$(date +%s)" : `$(($(date +%s)${shift}))`;
  const isOtherText = signed.body !== undefined && signed.body !== body;
  const target = signed.target ?? url.pathname + url.search;
  const by = (signer: Signer, then = "") => {
    const secret = signer === "a wrong secret" ? quoted(WRONG_SECRET) : `"$${signer.secretName}"`;
    return `$(printf %s "$t.$n.${signed.method ?? "POST"}."${quoted(target)}".$${isOtherText ? "signed" : "b"}" | openssl dgst -sha256 -hmac ${secret} | sed 's/.*= *//'${then})`;
  };
  const signature =
    delivery.signature === "zeros"
      ? ZEROS
      : by(signedBy, delivery.signature === undefined ? "" : SIGNATURES[delivery.signature]);
  const values: Record<SignedHeader, string> = {
    "X-Merchant-Id": delivery.merchant ?? account.code,
    "X-Timestamp": "$t",
    "X-Nonce": "$n",
    "X-Signature": "$s",
  };
  const names = (Object.keys(values) as SignedHeader[]).filter((name) => name !== delivery.omit);
  const more = Object.entries({
    ...(delivery.nextSignedBy !== undefined && { "X-Signature-Next": "$next" }),
    ...delivery.headers,
  });
  const headers = [
    ["Content-Type", "application/json"],
    ...names.map((name) => [name, values[name]] as const),
    ...more,
  ].map(([name = "", value]) => `-H "${delivery.lowerCase === true ? name.toLowerCase() : name}: ${value}"`);
  const send = `curl -sS -i -X POST ${headers.join(" ")} --data-binary "$b" ${quoted(url.href)}`;
  return [
    `t=${seconds}${delivery.seconds === true ? "" : "000"}`,
    `n=${delivery.nonce ?? "$(openssl rand -hex 16)"}`,
    `b=${quoted(body)}`,
    ...(isOtherText ? [`signed=${quoted(signed.body ?? "")}`] : []),
    `s=${signature}`,
    ...(delivery.nextSignedBy === undefined ? [] : [`next=${by(delivery.nextSignedBy)}`]),
    // A replay sends the same request a second time.
    delivery.again === undefined ? send : `for _ in 1 2; do ${send}; done`,
  ].join("; ");
}

/** The details of the sending that a curl line can't show; undefined when the line shows everything. */
export function howSent({ delivery }: Pick<Exchange, "delivery">): string | undefined {
  if (delivery.cut !== undefined)
    return delivery.cut.body === "half"
      ? "closed in the middle of the body"
      : `closed ${delivery.cut.afterMs} ms after it was sent`;
  if (delivery.pieces !== undefined) return `sent in pieces, with ${delivery.pieces.pauseMs} ms between them`;
  if (typeof delivery.connection === "object") return "sent on a connection that is kept open";
  return delivery.again === undefined ? undefined : "sent again, byte for byte";
}
