import type { Callback } from "../calls/callback.ts";
import type { Case, Category } from "../case.ts";
import { accepted } from "../expectation.ts";

const SCOPE =
  "Begin every key with the merchant: players, transactions, rejections and tombstones. Two merchants may use the same ids.";
const needs = { other: true } as const;

/** A callback of one merchant with the tx_id of another merchant's callback. */
const withIdOf = (callback: Callback, { fields: { tx_id = "" } }: Callback): Callback => ({
  ...callback,
  fields: { ...callback.fields, tx_id },
});

const cases: readonly Case[] = [
  {
    id: "same-tx-id",
    title: "The same tx_id from two merchants is two transactions",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const [here, there] = [await it.fund(it.player, 0n), await it.fund(it.other, 0n)];
      const win = it.player.win(500n);
      await it.accepts(win);
      await it.accepts(withIdOf(it.other.win(700n), win));
      await it.balanceIs(it.player, here + 500n, "this merchant's win was paid");
      await it.balanceIs(it.other, there + 700n, "the other merchant's win was paid");
    },
  },
  {
    id: "same-player-id",
    title: "A player_id at two merchants has two balances",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const [here, there] = [await it.fund(it.player, 1_000n), await it.fund(it.other, 1_000n)];
      await it.accepts(it.player.bet(250n));
      await it.balanceIs(it.other, there, "the bet was at the other merchant");
      await it.accepts(it.other.bet(500n));
      await it.balanceIs(it.player, here - 250n, "the second bet was at the other merchant");
    },
  },
  {
    id: "refund-across",
    title: "A refund that names another merchant's bet is rejected",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const [here, there] = [await it.fund(it.player, 1_000n), await it.fund(it.other, 0n)];
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.rejects(it.other.refund(bet));
      await it.balanceIs(it.other, there, "the bet was another merchant's");
      await it.accepts(it.player.refund(bet));
      await it.balanceIs(it.player, here, "its own merchant's refund was given");
    },
  },
  {
    id: "rejection-across",
    title: "A bet that one merchant rejects does not use up its tx_id for another merchant",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const [here, there] = [await it.fund(it.player, 0n), await it.fund(it.other, 1_000n)];
      const bet = it.player.bet(here + 100n);
      await it.rejects(bet);
      await it.accepts(withIdOf(it.other.bet(250n), bet));
      await it.balanceIs(it.other, there - 250n, "the other merchant's bet was taken");
    },
  },
  {
    id: "tombstone-across",
    title: "A tombstone of one merchant does not refuse another merchant's bet",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const there = await it.fund(it.other, 1_000n);
      const bet = it.player.bet(250n);
      await it.rejects(it.player.refund(bet));
      await it.accepts(withIdOf(it.other.bet(250n), bet));
      await it.balanceIs(it.other, there - 250n, "the other merchant's bet was taken");
    },
  },
  {
    id: "at-once",
    title: "50 wins at once with the same ids at two merchants are paid at both",
    rule: "contract-scope",
    needs,
    fix: SCOPE,
    async run(it) {
      const [here, there] = [await it.fund(it.player, 0n), await it.fund(it.other, 0n)];
      const wins = Array.from({ length: 25 }, () => it.player.win(100n));
      const exchanges = await it.settledAtOnce(wins.flatMap((win) => [win, withIdOf(it.other.win(200n), win)]));
      it.expectAll(exchanges, accepted());
      await it.balanceIs(it.player, here + 2_500n, "25 wins at this merchant");
      await it.balanceIs(it.other, there + 5_000n, "25 wins at the other merchant");
    },
  },
];

export const merchants: Category = { id: "merchants", title: "Two merchants", cases };
