import { Finding } from "../../report/ending.ts";
import type { Callback } from "../calls/callback.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { accepted, rejected } from "../expectation.ts";
import { differs, isUnanswered, type Trial } from "../trial.ts";

const LOCK =
  "Change the balance under a lock on the player's row, or by `balance = balance + ?` in the database. Never write back a balance that was read before.";
const GUARD =
  "Take a bet by one statement, `... SET balance = balance - ? WHERE ... AND balance >= ?`, or look and take under one lock on the player's row.";
const UNIQUE_REVERSAL =
  "Put a unique key on (merchant, ref_tx_id), and insert in one database transaction with the balance.";

const count = (exchanges: readonly Exchange[]): number =>
  exchanges.filter(({ reply }) => reply.meaning.kind === "accepted").length;
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

function exactly(n: number, of: string, exchanges: readonly Exchange[]): void {
  const got = count(exchanges);
  if (got === n) return;
  const unanswered = exchanges.filter(isUnanswered);
  const failed = exchanges.filter(({ reply }) => (reply.status ?? 0) >= 500);
  const received = [
    `${got} applied`,
    ...(unanswered.length === 0 ? [] : [`${unanswered.length} without a reply`]),
    ...(failed.length === 0 ? [] : [`${failed.length} with a 5xx, also when they came again`]),
  ].join(", ");
  throw new Finding({ expected: `${n} of ${of} applied`, received }, unanswered[0] ?? failed[0] ?? exchanges[0]);
}

/** A bet and its refund, or a win and its rollback, sent together. In either order the balance stays the same. */
const pairAtOnce = (
  id: string,
  title: string,
  pair: (it: Trial) => [Callback, Callback],
  what: readonly [string, string],
): Case => ({
  id,
  title,
  rule: "contract-tombstone",
  fix: "Judge the two one after the other, under one lock: either the original was applied and is reversed, or the reversal leaves a tombstone that refuses the original.",
  async run(it) {
    const before = await it.fund(it.player, 5_000n);
    const pairs = times(10, () => pair(it));
    const exchanges = await it.settledAtOnce(pairs.flat());
    for (let i = 0; i < exchanges.length; i += 2) {
      const [original, reversal] = [exchanges[i] as Exchange, exchanges[i + 1] as Exchange];
      for (const exchange of [original, reversal])
        if (exchange.reply.meaning.kind === "silent")
          it.expect(exchange, accepted(), "one of a pair that came together");
      const [was, is] = [original.reply.meaning.kind, reversal.reply.meaning.kind];
      if (was !== is)
        throw differs(
          `${what[0]} and its ${what[1]} both applied, or both rejected`,
          original,
          `the ${what[0]} ${was}, its ${what[1]} ${is}`,
        );
    }
    await it.balanceIs(it.player, before, `ten times a ${what[0]} and its ${what[1]}, which leave nothing`);
  },
});

const reversalsAtOnce = (
  id: string,
  title: string,
  rule: Case["rule"],
  make: (it: Trial) => Promise<{ callbacks: Callback[]; after: bigint }>,
): Case => ({
  id,
  title,
  rule,
  fix: UNIQUE_REVERSAL,
  async run(it) {
    await it.fund(it.player, 1_000n);
    const { callbacks, after } = await make(it);
    const exchanges = await it.settledAtOnce(callbacks);
    await it.balanceIs(it.player, after, "it was reversed once");
    exactly(1, `${callbacks.length} reversals of one transaction`, exchanges);
  },
});

const cases: readonly Case[] = [
  {
    id: "wins",
    title: "50 wins at once are all paid, and none overwrites another",
    rule: "contract-concurrent",
    fix: LOCK,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const exchanges = await it.settledAtOnce(times(50, () => it.player.win(100n)));
      exactly(50, "50 wins", exchanges);
      await it.balanceIs(it.player, before + 5_000n, "50 wins were paid");
    },
  },
  {
    id: "bets-for-30",
    title: "Exactly 30 of 50 bets at once are taken from a balance for 30 bets, and the balance never becomes negative",
    rule: "contract-bet",
    fix: GUARD,
    async run(it) {
      await it.setBalance(it.player, 3_000n);
      const exchanges = await it.settledAtOnce(times(50, () => it.player.bet(100n)));
      for (const exchange of exchanges) {
        const { meaning } = exchange.reply;
        if (meaning.kind === "accepted" && meaning.balance !== null && meaning.balance < 0n)
          it.expect(exchange, notBelowZero);
      }
      await it.balanceIs(it.player, 0n, "30 bets were taken");
      exactly(30, "50 bets", exchanges);
    },
  },
  {
    id: "two-players-bets",
    title: "Two players with a balance for 10 bets each make 25 bets each at once, and 10 bets of each are taken",
    rule: "contract-bet",
    needs: { players: 2 },
    fix: GUARD,
    async run(it) {
      await it.setBalance(it.player, 1_000n);
      await it.setBalance(it.second, 1_000n);
      const exchanges = await it.settledAtOnce(times(50, (i) => (i % 2 === 0 ? it.player : it.second).bet(100n)));
      await it.balanceIs(it.player, 0n, "10 bets of this player were taken");
      await it.balanceIs(it.second, 0n, "10 bets of this player were taken");
      exactly(20, "50 bets", exchanges);
    },
  },
  {
    id: "bets-and-wins",
    title: "25 bets and 25 wins at once are all applied",
    rule: "contract-concurrent",
    fix: LOCK,
    async run(it) {
      const before = await it.fund(it.player, 2_500n);
      const exchanges = await it.settledAtOnce(
        times(50, (i) => (i % 2 === 0 ? it.player.bet(100n) : it.player.win(125n))),
      );
      exactly(50, "25 bets and 25 wins", exchanges);
      await it.balanceIs(it.player, before + 625n, "25 bets were taken and 25 wins paid");
    },
  },
  {
    id: "distinct-balances",
    title: "The replies to 20 wins at once have 20 different balances, one after each win",
    rule: "contract-once",
    fix: "Answer with the balance after this transaction, read inside its database transaction.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const exchanges = await it.settledAtOnce(times(20, () => it.player.win(100n)));
      const balances = exchanges.map(({ reply: { meaning } }) =>
        meaning.kind === "accepted" && meaning.balance !== null ? meaning.balance : -1n,
      );
      const wanted = times(20, (i) => before + 100n * BigInt(i + 1));
      const wrong = balances.findIndex((balance) => !wanted.includes(balance));
      const twice = balances.findIndex((balance, i) => balances.indexOf(balance) !== i);
      const found = wrong === -1 ? twice : wrong;
      if (found === -1) return;
      const received = wrong === -1 ? "one balance told to two wins" : "a balance that never was";
      throw new Finding({ expected: "each reply with the balance after its own win", received }, exchanges[found]);
    },
  },
  reversalsAtOnce(
    "refunds",
    "Of 10 refunds of one bet at once, under ids of their own, one is given",
    "contract-reverse-once",
    async (it) => {
      const bet = it.player.bet(250n);
      const before = await it.balance(it.player);
      await it.accepts(bet);
      return { callbacks: times(10, () => it.player.refund(bet)), after: before };
    },
  ),
  reversalsAtOnce(
    "rollbacks",
    "Of 10 rollbacks of one win at once, under ids of their own, one is taken",
    "contract-reverse-once",
    async (it) => {
      const win = it.player.win(250n);
      const before = await it.balance(it.player);
      await it.accepts(win);
      return { callbacks: times(10, () => it.player.rollback(win)), after: before };
    },
  ),
  pairAtOnce(
    "bet-and-refund",
    "Bets and their refunds at once leave the balance as it was",
    ({ player }) => {
      const bet = player.bet(250n);
      return [bet, player.refund(bet)];
    },
    ["bet", "refund"],
  ),
  pairAtOnce(
    "win-and-rollback",
    "Wins and their rollbacks at once leave the balance as it was",
    ({ player }) => {
      const win = player.win(250n);
      return [win, player.rollback(win)];
    },
    ["win", "rollback"],
  ),
  {
    id: "rejected-copies",
    title: "20 copies at once of a bet without funds are all rejected, and are still rejected after a deposit",
    rule: "contract-keep-rejections",
    fix: "Store a bet's rejection with its tx_id, in the same transaction that judged it.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const bet = it.player.bet(before + 100n);
      const exchanges = await it.settledAtOnce(Array<Callback>(20).fill(bet));
      it.expectAll(exchanges, rejected());
      await it.accepts(it.player.win(500n));
      await it.rejects(bet);
      await it.balanceIs(it.player, before + 500n, "the rejected bet took nothing");
    },
  },
];

const notBelowZero = {
  sentence: () => "a balance of 0 or more",
  isMet: () => false,
};

export const concurrency: Category = { id: "concurrency", title: "Many at once", cases };
