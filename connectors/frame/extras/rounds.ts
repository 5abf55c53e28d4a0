/** Wins of APIs that name the round of a win, but not its bet. */
import {
  TransactionAction,
  type TransactionRecord,
} from "../../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import type { Deadline } from "../deadline.ts";
import type { Desk, Win } from "../desk.ts";
import type { Player, Store } from "../state/store.ts";
import { type Outcome, outcome } from "../verdict.ts";

/** Two wins of a round may cross. The one that comes second looks at the round again. */
const LOOKS = 3;

export class Rounds {
  readonly #desk: Desk;
  readonly #store: Store;

  constructor({ desk, store }: { readonly desk: Desk; readonly store: Store }) {
    this.#desk = desk;
    this.#store = store;
  }

  /**
   * Pays a win only if a bet of its round was taken and is not reversed. The first win of a round settles the round's
   * first bet, so a refund that crosses it is refused. `isFree`: the win needs no bet.
   */
  async settle(win: Win, isFree: boolean, deadline: Deadline, looks = LOOKS): Promise<Outcome> {
    const { player, roundId, txId } = win;
    const { bets, wins } = await this.#desk.round(player, roundId, deadline);
    const known = wins.find((record) => record.txId === txId);
    // A repeat names the same bet as the first request, whatever has happened to the round since.
    if (known !== undefined)
      return this.#desk.win(
        known.betTxId === "" ? win : { ...win, betTxId: known.betTxId, settles: known.settles },
        deadline,
      );
    const bet = bets.find(({ settledBy }) => settledBy === txId) ?? bets.find(isTaken);
    if (bet !== undefined) {
      const settles = bet.settledBy === "" || bet.settledBy === txId;
      const paid = await this.#desk.win({ ...win, betTxId: bet.txId, settles }, deadline);
      const hasChanged = paid.verdict === "settled" || paid.verdict === "reversed";
      return hasChanged && looks > 1 ? this.settle(win, isFree, deadline, looks - 1) : paid;
    }
    if (isFree || (await this.#hasFreeBet(player, roundId))) return this.#desk.win(win, deadline);
    if (bets.some(({ status }) => status === TransactionStatus.PENDING)) return outcome("bet_pending");
    return outcome(bets.some(({ reversedBy }) => reversedBy !== "") ? "reversed" : "no_bet");
  }

  /** Notes that a round has a bet of 0, which leaves no record. Call it after such a bet. */
  async noteFreeBet({ alias }: Player, roundId: string): Promise<void> {
    await this.#store.note(freeBetOf(alias, roundId), { digest: "", kind: "bet", alias }, "0");
  }

  async #hasFreeBet({ alias }: Player, roundId: string): Promise<boolean> {
    return (await this.#store.noteOf(freeBetOf(alias, roundId))) !== undefined;
  }
}

/** Whether the record is a bet whose stake the wallet has taken, and which nobody has refunded. */
export const isTaken = ({ action, status, reversedBy, kind }: TransactionRecord): boolean =>
  action === TransactionAction.BET &&
  status === TransactionStatus.SUCCESS &&
  reversedBy === "" &&
  kind !== "adjustment";

const freeBetOf = (alias: string, roundId: string): string => JSON.stringify(["free bet", alias, roundId]);
