/**
 * The request to a merchant's wallet. The same content always gives the same bytes. Each attempt has a new signature.
 */

import { type Signable, sign } from "../../domain/signing/signing.ts";
import type { Content } from "../../domain/transaction/transaction.ts";
import { CARRIED } from "../../domain/values/carried.ts";
import { toDecimal } from "../../domain/values/money.ts";
import { USER_AGENT } from "../../domain/values/product.ts";
import type { BalanceQuery, WalletTarget } from "../../ports/wallet.ts";

/** The carried texts that stand after the amount. A transaction without such a text has no key for it. */
const LAST = CARRIED.filter(({ name }) => name !== "round_id");

/** The JSON of a transaction. The order of its keys is that of the test vectors. Its amount is an exact decimal. */
export function transactionBody(content: Content): string {
  let last = "";
  for (const { name, property } of LAST) {
    const text = content[property] ?? null;
    if (text !== null) last += `,"${name}":${JSON.stringify(text)}`;
  }
  // New keys stand at the end, and only in the body of a transaction that has them.
  if (content.labels?.kind != null) last += `,"kind":"${content.labels.kind}"`;
  if (content.labels?.promoId != null) last += `,"promo_id":${JSON.stringify(content.labels.promoId)}`;
  if (content.roundEnded === true) last += ',"round_ended":true';
  return (
    `{"action":"${content.action}","player_id":${JSON.stringify(content.playerId)},"currency":"${content.currency}","provider":"${content.game.provider}",` +
    `"game":${JSON.stringify(content.game.code)},"tx_id":${JSON.stringify(content.txId)},"round_id":${JSON.stringify(content.roundId)},` +
    `"amount":${toDecimal(content.amountMinor, content.currency)}${last}}`
  );
}

/** The JSON of a balance query. */
export function balanceBody(query: BalanceQuery): string {
  return `{"action":"balance","player_id":${JSON.stringify(query.playerId)},"currency":"${query.currency}","provider":"${query.provider}","game":${JSON.stringify(query.game)}}`;
}

/** The values that are new in each attempt. */
export interface AttemptStamp {
  /** The time of the attempt, in milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
  /** A UUID, which is not signed. */
  readonly requestId: string;
  /** The attempt's number (1, 2, 3 ...), which is not signed. */
  readonly attempt: number;
  /** The header `traceparent`, which is not signed. undefined: the header is not sent. */
  readonly traceparent: string | undefined;
}

/** The headers as name, value, name, value. `path` is the walletUrl's path and query. */
export function signedHeaders(target: WalletTarget, path: string, body: Uint8Array, stamp: AttemptStamp): string[] {
  const timestamp = String(Math.trunc(stamp.now));
  const parts: Signable = { timestamp, nonce: stamp.nonce, method: "POST", target: path, body };
  const signature = sign(target.secret, parts);
  // biome-ignore format: a name and its value to a line
  const headers = [
    "User-Agent", USER_AGENT,
    "Accept-Encoding", "identity",
    "Content-Type", "application/json",
    "X-Merchant-Id", target.merchantCode,
    "X-Timestamp", timestamp,
    "X-Nonce", stamp.nonce,
    "X-Signature", signature,
    "X-Request-Id", stamp.requestId,
    "X-Attempt", String(stamp.attempt),
  ];
  if (stamp.traceparent !== undefined) headers.push("traceparent", stamp.traceparent);
  if (target.nextSecret !== null) headers.push("X-Signature-Next", sign(target.nextSecret, parts));
  return headers;
}
