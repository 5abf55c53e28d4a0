import { anotherCurrency } from "../calls/money.ts";
import type { Case, Category } from "../case.ts";

const CURRENCY = "Compare `currency` with the merchant's before you move anything, and reject what differs.";

const cases: readonly Case[] = [
  {
    id: "balance",
    title: "A balance query returns the balance and changes nothing",
    rule: "contract-balance",
    fix: "Return the present balance.",
    async run(it) {
      const before = await it.fund(it.player, 100n);
      for (const _ of [1, 2, 3]) await it.accepts(it.player.query(), before);
    },
  },
  {
    id: "bet",
    title: "A bet is taken, and its reply has the balance after it",
    rule: "contract-bet",
    fix: "Take `amount` off the balance, and answer with the balance after that.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      await it.accepts(it.player.bet(250n), before - 250n);
      await it.balanceIs(it.player, before - 250n, "one bet was taken");
    },
  },
  {
    id: "win",
    title: "A win is paid, and its reply has the balance after it",
    rule: "contract-win",
    fix: "Add `amount` to the balance, and answer with the balance after that.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.accepts(it.player.win(750n), before + 750n);
      await it.balanceIs(it.player, before + 750n, "one win was paid");
    },
  },
  {
    id: "refund",
    title: "A refund gives the bet back, and its reply has the balance after it",
    rule: "contract-refund",
    fix: "Find the bet by `ref_tx_id`, add its amount to the balance, and answer with the balance after that.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.accepts(it.player.refund(bet), before);
      await it.balanceIs(it.player, before, "the bet was given back");
    },
  },
  {
    id: "rollback",
    title: "A rollback takes the win back, and its reply has the balance after it",
    rule: "contract-rollback",
    fix: "Find the win by `ref_tx_id`, take its amount off the balance, and answer with the balance after that.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(750n);
      await it.accepts(win);
      await it.accepts(it.player.rollback(win), before);
      await it.balanceIs(it.player, before, "the win was taken back");
    },
  },
  {
    id: "whole-balance",
    title: "A bet of the whole balance is taken and leaves 0",
    rule: "contract-bet",
    fix: "A bet needs a balance of at least its amount. Compare with `>=`, in minor units.",
    async run(it) {
      await it.setBalance(it.player, 1_000n);
      await it.accepts(it.player.bet(1_000n), 0n);
      await it.balanceIs(it.player, 0n, "the whole balance was bet");
    },
  },
  {
    id: "beyond-balance",
    title: "A bet that is one minor unit above the balance is rejected, and no money is taken",
    rule: "contract-bet",
    fix: "Reject a bet that is larger than the balance. Check the balance and take the amount in one statement or under one lock.",
    async run(it) {
      await it.setBalance(it.player, 1_000n);
      await it.rejects(it.player.bet(1_001n));
      await it.balanceIs(it.player, 1_000n, "the rejected bet took nothing");
    },
  },
  {
    id: "funds-code",
    title: "A bet without funds is rejected as INSUFFICIENT_FUNDS",
    rule: "contract-codes",
    level: "should",
    fix: "Use the code INSUFFICIENT_FUNDS. Games then tell the player to deposit.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.rejects(it.player.bet(before + 100n), ["INSUFFICIENT_FUNDS"]);
    },
  },
  {
    id: "unknown-player",
    title: "A balance query and a bet for an unknown player are rejected",
    rule: "contract-balance",
    fix: "Reject an unknown player_id. Do not create a player, and do not answer 500.",
    async run(it) {
      const player_id = `certify-nobody-${it.player.txId()}`;
      await it.rejects(it.player.query({ player_id }));
      await it.rejects(it.player.bet(250n, { player_id }));
    },
  },
  {
    id: "player-code",
    title: "An unknown player is rejected as PLAYER_NOT_FOUND",
    rule: "contract-codes",
    level: "should",
    fix: "Use the code PLAYER_NOT_FOUND.",
    async run(it) {
      await it.rejects(it.player.query({ player_id: `certify-nobody-${it.player.txId()}` }), ["PLAYER_NOT_FOUND"]);
    },
  },
  {
    id: "currency-of-bet",
    title: "A bet in another currency is rejected, and no money is taken",
    rule: "contract-scope",
    fix: CURRENCY,
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      await it.rejects(it.player.bet(100n, { currency: anotherCurrency(it.player.account.currency) }));
      await it.balanceIs(it.player, before, "the bet of another currency took nothing");
    },
  },
  {
    id: "currency-of-win",
    title: "A win in another currency is rejected, and no money is paid",
    rule: "contract-scope",
    fix: CURRENCY,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      await it.rejects(it.player.win(100n, { currency: anotherCurrency(it.player.account.currency) }));
      await it.balanceIs(it.player, before, "the win of another currency paid nothing");
    },
  },
  {
    id: "two-players",
    title: "Each player has a separate balance",
    rule: "contract-bet",
    needs: { players: 2 },
    fix: "Move the balance of `player_id`, and of nobody else.",
    async run(it) {
      const [first, second] = [await it.fund(it.player, 1_000n), await it.fund(it.second, 1_000n)];
      await it.accepts(it.player.bet(250n));
      await it.accepts(it.second.bet(100n));
      await it.accepts(it.second.win(500n));
      await it.balanceIs(it.player, first - 250n, "this player bet once");
      await it.balanceIs(it.second, second + 400n, "the other player bet once and won");
    },
  },
];

export const actions: Category = { id: "actions", title: "Each action", cases };
