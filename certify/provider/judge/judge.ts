/** The rules that apply to the calls of every case. */
import type { Call } from "../aggregator/session.ts";
import { betsAreRepeated, noBetIsLeftOpen, onlyPaidRoundsArePlayed } from "./bets.ts";
import { creditsAreDelivered, refundsAreRight, settledRoundsStay, winsArePaidOnce } from "./credits.ts";
import { finalAnswersEndRepeats, repeatsAreNoStorm } from "./pace.ts";
import { requestsAreRight } from "./requests.ts";

/** @throws Finding for the first rule that these calls break. */
export function judge(calls: readonly Call[], spins: number): void {
  betsAreRepeated(calls, spins);
  requestsAreRight(calls);
  repeatsAreNoStorm(calls);
  refundsAreRight(calls);
  settledRoundsStay(calls);
  onlyPaidRoundsArePlayed(calls);
  winsArePaidOnce(calls);
  noBetIsLeftOpen(calls);
  creditsAreDelivered(calls);
  finalAnswersEndRepeats(calls);
}
