import type { MessageShape } from "@bufbuild/protobuf";
import type { ServiceError } from "@grpc/grpc-js";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { wireTxId } from "../../src/domain/values/identifiers.ts";
import { BetService } from "../../src/gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { TransactionStatus } from "../../src/gen/aggregator/sportsbook/v1/transaction_status_pb.ts";
import { GrpcCaller } from "../../testbed/callers/grpc-caller.ts";
import type { Outcome } from "../../testbed/judge/record.ts";
import type { History } from "../../testbed/provider/history-file.ts";
import { type Listening, refusalOf } from "../../testbed/provider/provider.ts";
import type { Guest } from "./guest.ts";

const { placeBetslip } = BetService.method;
type Reply = MessageShape<typeof placeBetslip.output>;

const STATUS: Readonly<Record<number, "success" | "pending">> = {
  [TransactionStatus.SUCCESS]: "success",
  [TransactionStatus.PENDING]: "pending",
};
/** Errors of a bet with which the service debited nothing. The bet may have no row. */
const UNTAKEN: ReadonlySet<string> = new Set([
  "NOT_SENT",
  "OVERLOADED",
  "SERVICE_UNAVAILABLE",
  "TRANSACTION_REVERSED",
  "TRANSACTION_MISMATCH",
]);

/** The sportsbook. It sends slips over real gRPC. The history gets the slips' bets and their refunds. */
export class Sportsbook {
  readonly guest: Guest;
  readonly #history: History;
  readonly #callers = new Map<number, GrpcCaller>();
  readonly #ends: (() => void)[] = [];

  constructor(guest: Guest, history: History) {
    this.guest = guest;
    this.#history = history;
  }

  /**
   * Places the slip once.
   *
   * @param bets - the bets that the wallet must receive.
   * @returns `success`, `failed`, `pending`, a refusal's code or `unknown`.
   */
  async place(
    slipId: string,
    sessionId: string,
    bets: readonly Content[],
    on: Listening,
    timeoutMs: number,
  ): Promise<string> {
    const ends = bets.map((bet) => ({
      bet: this.#history.begin(bet, timeoutMs),
      refund: this.#history.begin(refundOf(bet), timeoutMs),
    }));
    const slipBets = bets.map(({ txId, roundId, amountMinor }) => ({ txId: ownOf(txId), roundId, amountMinor }));
    const settings = { keys: [this.guest.apiKey], deadline: Date.now() + timeoutMs };
    try {
      const reply = await this.#callerOf(on.ports.grpc).call(
        placeBetslip,
        { sessionId, slipId, bets: slipBets },
        settings,
      );
      for (const [i, { bet, refund }] of ends.entries()) {
        const [ofBet, ofRefund] = outcomesOf(reply, i, bets[i] as Content);
        bet(ofBet);
        refund(ofRefund);
      }
      return STATUS[reply.status] ?? "failed";
    } catch (error) {
      const refusal = refusalOf(error as ServiceError);
      for (const { bet, refund } of ends) {
        bet(refusal);
        refund(refusal);
      }
      return refusal.kind === "refused" ? refusal.code : "unknown";
    }
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  #callerOf(port: number): GrpcCaller {
    const known = this.#callers.get(port) ?? new GrpcCaller({ teardown: (end) => void this.#ends.push(end) }, port);
    this.#callers.set(port, known);
    return known;
  }
}

const ownOf = (txId: string): string => txId.slice(txId.indexOf(":") + 1);

/** The refund that a slip would send for its bet. */
export const refundOf = (bet: Content): Content => ({
  ...bet,
  action: "refund",
  txId: wireTxId(bet.game.provider, `refund~${ownOf(bet.txId)}`),
  refTxId: bet.txId,
});

/** The outcomes of one bet of a slip and of its refund, from the slip's reply. */
function outcomesOf({ bets }: Reply, i: number, { txId, game }: Content): [Outcome, Outcome] {
  const result = bets[i];
  if (result === undefined) throw new Error("a slip's reply has one result for each of its bets");
  const refund: Outcome =
    result.refundTxId === ""
      ? { kind: "refused", code: "NOT_REFUNDED" }
      : {
          kind: "ok",
          status: STATUS[result.refundStatus] ?? "failed",
          error: "",
          txId: wireTxId(game.provider, result.refundTxId),
        };
  if (UNTAKEN.has(result.error)) return [{ kind: "refused", code: result.error }, refund];
  return [{ kind: "ok", status: STATUS[result.status] ?? "failed", error: result.error, txId }, refund];
}
