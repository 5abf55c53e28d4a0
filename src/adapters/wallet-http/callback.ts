/** The request that reaches a merchant's wallet: the same bytes for the same content, and a fresh signature for each attempt. */

import { sign } from "../../domain/signing/signing.ts";
import type { Content } from "../../domain/transaction/transaction.ts";
import { toDecimal } from "../../domain/values/money.ts";
import type { BalanceQuery, WalletTarget } from "../../ports/wallet.ts";

/** The JSON of a transaction: keys in the vectors' order, the amount an exact decimal literal. */
export function transactionBody(content: Content): string {
  const ref = content.refTxId === null ? "" : `,"ref_tx_id":${JSON.stringify(content.refTxId)}`;
  return (
    `{"action":"${content.action}","player_id":${JSON.stringify(content.playerId)},"currency":"${content.currency}","provider":"${content.game.provider}",` +
    `"game":${JSON.stringify(content.game.code)},"tx_id":${JSON.stringify(content.txId)},"round_id":${JSON.stringify(content.roundId)},` +
    `"amount":${toDecimal(content.amountMinor, content.currency)}${ref}}`
  );
}

/** The JSON of a balance query. */
export function balanceBody(query: BalanceQuery): string {
  return `{"action":"balance","player_id":${JSON.stringify(query.playerId)},"currency":"${query.currency}","provider":"${query.provider}","game":${JSON.stringify(query.game)}}`;
}

/** What is new in each attempt. */
export interface AttemptStamp {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
  /** A UUID; not signed. */
  readonly requestId: string;
  /** 1, 2, 3 ...; not signed. */
  readonly attempt: number;
}

/** Names and values in turn, as undici takes them. `path` is the walletUrl's path and query. */
export function signedHeaders(target: WalletTarget, path: string, body: Uint8Array, stamp: AttemptStamp): string[] {
  const timestamp = String(Math.trunc(stamp.now));
  const signature = sign(target.secret, { timestamp, nonce: stamp.nonce, method: "POST", target: path, body });
  // biome-ignore format: a name and its value to a line
  return [
    "Content-Type", "application/json",
    "X-Merchant-Id", target.merchantCode,
    "X-Timestamp", timestamp,
    "X-Nonce", stamp.nonce,
    "X-Signature", signature,
    "X-Request-Id", stamp.requestId,
    "X-Attempt", String(stamp.attempt),
  ];
}
