import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "undici";
import { sign } from "../../src/domain/signing/signing.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import type { PlaceBetRequest } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { BenchMerchant, Directory } from "../../testbed/directory/directory.ts";

export interface Seat {
  readonly merchant: BenchMerchant;
  readonly playerId: string;
}

/** Sessions as a floor knows them: all of them, in memory, for ever. */
export class Seats {
  readonly directory: Directory;
  readonly #seats = new Map<string, Seat>();

  constructor(file: string) {
    this.directory = JSON.parse(readFileSync(file, "utf8")) as Directory;
    for (const merchant of this.directory.merchants) for (const { id, playerId } of merchant.sessions) this.#seats.set(id, { merchant, playerId });
  }

  find(sessionId: string): Seat {
    const seat = this.#seats.get(sessionId);
    if (seat === undefined) throw new Error(`no session ${sessionId}`);
    return seat;
  }
}

export interface WalletSays {
  readonly ok: boolean;
  readonly balance: number;
}

/** The wallet call as anyone would write it first. */
export async function signedPost(seats: Seats, { merchant, playerId }: Seat, bet: PlaceBetRequest): Promise<WalletSays> {
  const { provider, game, currency } = seats.directory;
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
  const signature = sign(merchant.secret, { timestamp, nonce, method: "POST", target: new URL(merchant.walletUrl).pathname, body });
  const response = await request(merchant.walletUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Merchant-Id": merchant.code, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature },
    body,
    signal: AbortSignal.timeout(8_000),
  });
  return (await response.body.json()) as WalletSays;
}

export const responseTo = (bet: PlaceBetRequest, seats: Seats, says: WalletSays) => ({
  status: says.ok ? TransactionStatus.SUCCESS : TransactionStatus.FAILED,
  balanceMinor: BigInt(Math.round(says.balance * 100)),
  txId: `${seats.directory.provider}:${bet.txId}`,
});
