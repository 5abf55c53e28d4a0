import type { Callback } from "../calls/callback.ts";
import type { Case, Category } from "../case.ts";

const ORDER =
  "Do not ask for a bet, a round or a session when a win or refund comes. `tx_id` and `ref_tx_id` are all that binds.";

const cases: readonly Case[] = [
  {
    id: "win-without-bet",
    title: "A win of a round without any bet is paid",
    rule: "contract-no-order",
    fix: ORDER,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.accepts(it.player.win(500n));
      await it.balanceIs(it.player, before + 500n, "the win was paid");
    },
  },
  {
    id: "win-before-bet",
    title: "A win that comes before the bet of its round is paid, and the bet is taken",
    rule: "contract-no-order",
    fix: ORDER,
    async run(it) {
      const before = await it.fund(it.player, 250n);
      const bet = it.player.bet(250n);
      await it.accepts(it.player.win(1_000n, roundOf(bet)));
      await it.accepts(bet);
      await it.balanceIs(it.player, before + 750n, "win and bet were applied");
    },
  },
  {
    id: "win-after-refund",
    title: "A win that comes after the refund of its round's bet is paid",
    rule: "contract-no-order",
    fix: ORDER,
    async run(it) {
      const before = await it.fund(it.player, 250n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.accepts(it.player.refund(bet));
      await it.accepts(it.player.win(500n, roundOf(bet)));
      await it.balanceIs(it.player, before + 500n, "the bet was given back and the win paid");
    },
  },
  {
    id: "refund-after-win",
    title: "A refund that comes after a win of its round is paid",
    rule: "contract-no-order",
    fix: ORDER,
    async run(it) {
      const before = await it.fund(it.player, 250n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.accepts(it.player.win(500n, roundOf(bet)));
      await it.accepts(it.player.refund(bet));
      await it.balanceIs(it.player, before + 500n, "the win was paid and the bet given back");
    },
  },
  {
    id: "win-after-rejected-bet",
    title: "A win that comes after a rejected bet of its round is paid",
    rule: "contract-win",
    fix: "Pay a win with any result of the round's bets. The provider decides what it owes.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const bet = it.player.bet(before + 100n);
      await it.rejects(bet);
      await it.accepts(it.player.win(500n, roundOf(bet)));
      await it.balanceIs(it.player, before + 500n, "the win was paid");
    },
  },
  {
    id: "many-in-a-round",
    title: "Three bets and three wins of one round are all applied",
    rule: "contract-no-order",
    fix: "A round may have many bets and wins. Its id is not a key.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const round = roundOf(it.player.bet(100n));
      for (const amount of [100n, 100n, 200n]) await it.accepts(it.player.bet(amount, round));
      for (const amount of [50n, 50n, 250n]) await it.accepts(it.player.win(amount, round));
      await it.balanceIs(it.player, before - 50n, "three bets and three wins were applied");
    },
  },
  {
    id: "equal-bets",
    title: "Two bets that differ only in the tx_id are both taken",
    rule: "contract-once",
    fix: "`tx_id` is the idempotency key. Player, round and amount are none.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.accepts(it.player.bet(250n, roundOf(bet)));
      await it.balanceIs(it.player, before - 500n, "two bets were taken");
    },
  },
];

const roundOf = ({ fields: { round_id = "" } }: Callback): { round_id: string } => ({ round_id });

export const order: Category = { id: "order", title: "Any order", cases };
