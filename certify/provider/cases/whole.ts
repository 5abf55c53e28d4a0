/** Cases that check all calls of the pass together. They make no calls of their own. */

import { NotTried } from "../../report/ending.ts";
import type { Case, Category } from "../case.ts";
import { ProviderFinding } from "../judge/finding.ts";
import { pausesGrow, withPauses } from "../judge/pace.ts";
import { betsOf, standingOf, type Transaction, transactionsOf, winsOf } from "../judge/standing.ts";
import { callInWords, inSeconds } from "../judge/words.ts";
import type { Seen, Trial } from "../trial.ts";

/** A wallet may take 8 s. The service shortens a deadline above 60 s. */
const DEADLINE_MS = { least: 8_500, most: 60_000 };

const last = (one: Pick<Case, "id" | "title" | "rule" | "level" | "run">): Case => ({ ...one, when: "last" });

const transactions = (it: Trial): Transaction[] =>
  it.earlier.flatMap(({ sessions }) => sessions.flatMap(({ calls }) => transactionsOf(calls)));

function seen(it: Trial, has: (one: Seen) => boolean): Seen[] {
  const found = it.earlier.flatMap((trial) => trial.seen).filter(has);
  if (found.length === 0)
    throw new NotTried(
      "Nobody said what the player was shown: the hook answers with it, or the tester at the terminal.",
      true,
    );
  return found;
}

export const WHOLE: Category = {
  id: "whole",
  title: "All calls together",
  cases: [
    last({
      id: "unique-ids",
      title: "No tx_id is used for two transactions",
      rule: "prov-part-ids",
      level: "must",
      async run(it) {
        const all = transactions(it);
        if (all.length < 2) throw new NotTried("Fewer than two transactions came.", true);
        const used = new Map<string, Transaction>();
        for (const one of all) {
          const other = used.get(one.txId);
          used.set(one.txId, one);
          if (other === undefined) continue;
          throw new ProviderFinding(
            "prov-part-ids",
            {
              expected: "a different id for each transaction",
              received: `${callInWords(other.first)} and ${callInWords(one.first)}`,
              fix: "Make ids that are unique for ever, over sessions, servers and restarts. A random id is enough.",
            },
            one.first,
          );
        }
      },
    }),
    last({
      id: "unique-rounds",
      title: "No round_id is used for two spins",
      rule: "prov-part-ids",
      level: "must",
      async run(it) {
        const bets = betsOf(transactions(it));
        if (bets.length < 2) throw new NotTried("Fewer than two bets came.", true);
        const used = new Map<string, Transaction>();
        for (const bet of bets) {
          const other = used.get(bet.first.roundId);
          used.set(bet.first.roundId, bet);
          if (other === undefined || other.first.session === bet.first.session) continue;
          throw new ProviderFinding(
            "prov-part-ids",
            {
              expected: "a different round for each session's spin",
              received: `${callInWords(other.first)} and ${callInWords(bet.first)}`,
              fix: "Make a `round_id` for each round that is unique for ever.",
            },
            bet.first,
          );
        }
      },
    }),
    last({
      id: "shown-played",
      title: "The player sees no round as played before its bet is SUCCESS",
      rule: "prov-part-wait",
      level: "must",
      async run(it) {
        for (const { shown, isPaid, session } of seen(it, (one) => one.shown !== undefined && !one.session.demo)) {
          if (shown !== "played" || isPaid) continue;
          const bet = betsOf(transactionsOf(session.calls))[0];
          throw new ProviderFinding(
            "prov-part-wait",
            {
              expected: `a round that waits or is refused: the bet was ${bet === undefined ? "not sent" : standingOf(bet)}`,
              received: "a round that was shown as played",
              fix: "Show the result after the reply of PlaceBet is SUCCESS.",
            },
            bet?.first,
          );
        }
      },
    }),
    last({
      id: "shown-amounts",
      title: "Bets and wins have the amounts that the player saw, in minor units",
      rule: "prov-amount",
      level: "must",
      async run(it) {
        const shown = seen(it, ({ betMinor, winMinor }) => betMinor !== undefined || winMinor !== undefined);
        for (const { session, betMinor, winMinor } of shown) {
          const all = transactionsOf(session.calls);
          amountIs(betsOf(all), betMinor);
          // A win may not have arrived yet. The provider may also delay a win while its bet is unpaid.
          if (winMinor !== undefined && winMinor > 0n && winsOf(all).length > 0) amountIs(winsOf(all), winMinor);
        }
      },
    }),
    last({
      id: "growing-pauses",
      title: "The pauses between repeats grow",
      rule: "prov-part-pace",
      level: "should",
      async run(it) {
        const repeated = withPauses(it.earlier.flatMap(({ sessions }) => sessions.flatMap(({ calls }) => calls)));
        if (repeated.length === 0) throw new NotTried("No transaction was sent five times.", false);
        pausesGrow(repeated);
      },
    }),
    last({
      id: "deadlines",
      title: "Every call has a deadline that leaves a wallet its 8 s",
      rule: "prov-part-deadline",
      level: "should",
      async run(it) {
        const calls = it.earlier.flatMap((trial) => trial.calls);
        if (calls.length === 0) throw new NotTried("No call came.", true);
        for (const call of calls) {
          const { deadlineMs } = call;
          if (deadlineMs !== undefined && deadlineMs >= DEADLINE_MS.least && deadlineMs <= DEADLINE_MS.most) continue;
          throw new ProviderFinding(
            "prov-part-deadline",
            {
              expected: "a deadline of about 10 s",
              received: `${deadlineMs === undefined ? "none" : inSeconds(deadlineMs)}: ${callInWords(call)}`,
              fix: "Set 10 s. Just before the deadline the service answers PENDING, so that you always get a reply.",
            },
            call,
          );
        }
      },
    }),
  ],
};

/** Checks that one of these transactions has the amount. In a session with several spins, any of them may have it. */
function amountIs(of: readonly Transaction[], minor: bigint | undefined): void {
  const [one] = of;
  if (minor === undefined || one === undefined || of.some(({ first }) => first.amountMinor === minor)) return;
  throw new ProviderFinding(
    "prov-amount",
    {
      expected: `the amount that the player saw: ${minor} minor units`,
      received: callInWords(one.first),
      fix: "Send whole minor units: 250 is R$ 2.50, 1500 is 1500 CLP.",
    },
    one.first,
  );
}
