import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "undici";
import { sign } from "../../src/domain/signing/signing.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import type { PlaceBetRequest } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { BenchMerchant, Directory } from "../../testbed/directory/directory.ts";

export interface SessionOwner {
  readonly merchant: BenchMerchant;
  readonly playerId: string;
}

/** The sessions of a floor. They stay in memory until the process ends. */
export class Sessions {
  readonly directory: Directory;
  readonly #owners = new Map<string, SessionOwner>();

  constructor(file: string) {
    this.directory = JSON.parse(readFileSync(file, "utf8")) as Directory;
    for (const merchant of this.directory.merchants)
      for (const { id, playerId } of merchant.sessions) this.#owners.set(id, { merchant, playerId });
  }

  find(sessionId: string): SessionOwner {
    const owner = this.#owners.get(sessionId);
    if (owner === undefined) throw new Error(`no session ${sessionId}`);
    return owner;
  }
}

export interface WalletReply {
  readonly ok: boolean;
  readonly balance: number;
}

/** The wallet call in its simplest form. */
export async function signedPost(
  sessions: Sessions,
  { merchant, playerId }: SessionOwner,
  bet: PlaceBetRequest,
): Promise<WalletReply> {
  const { provider, game, currency } = sessions.directory;
  const body = JSON.stringify({
    action: "bet",
    player_id: playerId,
    currency,
    provider,
    game,
    tx_id: `${provider}:${bet.txId}`,
    round_id: bet.roundId,
    amount: Number(bet.amountMinor) / 100,
  });
  const timestamp = String(Date.now());
  const nonce = randomBytes(16).toString("hex");
  const signature = sign(merchant.secret, {
    timestamp,
    nonce,
    method: "POST",
    target: new URL(merchant.walletUrl).pathname,
    body,
  });
  const response = await request(merchant.walletUrl, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Merchant-Id": merchant.code,
      "X-Timestamp": timestamp,
      "X-Nonce": nonce,
      "X-Signature": signature,
    },
    body,
    signal: AbortSignal.timeout(8_000),
  });
  return (await response.body.json()) as WalletReply;
}

export const responseTo = (bet: PlaceBetRequest, sessions: Sessions, reply: WalletReply) => ({
  status: reply.ok ? TransactionStatus.SUCCESS : TransactionStatus.FAILED,
  balanceMinor: BigInt(Math.round(reply.balance * 100)),
  txId: `${sessions.directory.provider}:${bet.txId}`,
});
