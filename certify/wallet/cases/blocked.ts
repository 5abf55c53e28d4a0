import type { Case, Category } from "../case.ts";
import { differs } from "../trial.ts";

const CREDITS = "Look at blocks, limits and sessions for bets alone. Wins and refunds are the player's money.";
/** What a refused rollback costs. */
export const REFUSED_ROLLBACK =
  "A rejected rollback is final and does not come again: the player keeps a win that the provider has taken back, and the provider charges it to you.";
const needs = { blocked: true } as const;

const cases: readonly Case[] = [
  {
    id: "balance",
    title: "A blocked player's balance query is answered",
    rule: "contract-blocks",
    level: "should",
    needs,
    fix: CREDITS,
    async run(it) {
      await it.accepts(it.blocked.query());
    },
  },
  {
    id: "bet",
    title: "A blocked player's bet is rejected, and no money is taken",
    rule: "contract-bet",
    needs,
    fix: "Reject bets of blocked players. If this player is not blocked in your wallet, use --blocked-player with the id of a blocked player.",
    async run(it) {
      const before = await it.fund(it.blocked, 1_000n);
      await it.rejects(it.blocked.bet(250n));
      await it.balanceIs(it.blocked, before, "the rejected bet took nothing");
    },
  },
  {
    id: "bet-code",
    title: "A blocked player's bet is rejected as PLAYER_BLOCKED",
    rule: "contract-codes",
    level: "should",
    needs,
    fix: "Use the code PLAYER_BLOCKED.",
    async run(it) {
      await it.fund(it.blocked, 1_000n);
      await it.rejects(it.blocked.bet(250n), ["PLAYER_BLOCKED"]);
    },
  },
  {
    id: "win",
    title: "A blocked player's win is paid, once",
    rule: "contract-blocks",
    needs,
    fix: CREDITS,
    async run(it) {
      const before = await it.balance(it.blocked);
      const win = it.blocked.win(500n);
      await it.accepts(win);
      await it.accepts(win);
      await it.balanceIs(it.blocked, before + 500n, "one win was paid");
    },
  },
  {
    id: "rollback",
    title: "A blocked player's win is rolled back",
    rule: "contract-blocks",
    isAllowable: true,
    needs,
    fix: `Look at blocks for bets alone. ${REFUSED_ROLLBACK} If you accept that, run with --allow blocked/rollback.`,
    async run(it) {
      const before = await it.balance(it.blocked);
      const win = it.blocked.win(500n);
      await it.accepts(win);
      await it.accepts(it.blocked.rollback(win));
      await it.balanceIs(it.blocked, before, "the win was taken back");
    },
  },
  {
    id: "refund",
    title: "A blocked player's refund depends on its bet, not on the block",
    rule: "contract-blocks",
    needs,
    fix: CREDITS,
    async run(it) {
      const before = await it.balance(it.blocked);
      const exchange = await it.rejects(it.blocked.refund(it.blocked.bet(250n)));
      const { meaning } = exchange.reply;
      if (meaning.kind === "rejected" && /BLOCK/.test(meaning.error))
        throw differs("TRANSACTION_NOT_FOUND: the bet never came", exchange);
      await it.balanceIs(it.blocked, before, "there was no bet to give back");
    },
  },
];

export const blocked: Category = { id: "blocked", title: "Blocked players", cases };
