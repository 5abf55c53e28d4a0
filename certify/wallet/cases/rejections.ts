import type { Callback } from "../calls/callback.ts";
import type { Unusual } from "../calls/player.ts";
import type { Case, Category } from "../case.ts";

const KEEP =
  "Store the rejection of a bet under its tx_id, and return it when the bet comes again, whatever the balance is then.";
const FORGET =
  "Store only what you applied, and the rejections of bets and rollbacks. A rejected win or refund, and a TRANSACTION_NOT_FOUND, leave no reply behind.";

/** The callback with the same id and other content. */
const as = (callback: Callback, unusual: Unusual): Callback => ({
  ...callback,
  fields: { ...callback.fields, ...unusual },
});

const cases: readonly Case[] = [
  {
    id: "bet-kept",
    title: "A rejected bet that comes again after a deposit is still rejected",
    rule: "contract-keep-rejections",
    fix: KEEP,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const bet = it.player.bet(before + 100n);
      await it.rejects(bet);
      await it.accepts(it.player.win(1_000n));
      await it.rejects(bet);
      await it.balanceIs(it.player, before + 1_000n, "the rejected bet took nothing, also later");
    },
  },
  {
    id: "bet-same-code",
    title: "The rejection of a bet comes again with the same code",
    rule: "contract-keep-rejections",
    level: "should",
    fix: "Return the stored reply unchanged.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const bet = it.player.bet(before + 100n);
      const { reply } = await it.rejects(bet);
      await it.rejects(bet, reply.meaning.kind === "rejected" ? [reply.meaning.error] : []);
    },
  },
  {
    id: "bet-unknown-player-kept",
    title: "A bet that was rejected for an unknown player takes nothing when its tx_id comes again for a known one",
    rule: "contract-keep-rejections",
    fix: "Store the rejection PLAYER_NOT_FOUND of a bet as any other, and look for the stored reply before you look for the player. Otherwise a late copy takes money once the player exists.",
    async run(it) {
      const before = await it.fund(it.player, 500n);
      const bet = it.player.bet(100n);
      await it.rejects(as(bet, { player_id: `certify-nobody-${it.player.txId()}` }));
      await it.refuses(bet);
      await it.balanceIs(it.player, before, "the rejected bet took nothing, also later");
    },
  },
  {
    id: "bet-blocked-kept",
    title: "A bet that was rejected for a blocked player takes nothing when its tx_id comes again for another player",
    rule: "contract-keep-rejections",
    needs: { blocked: true, players: 1 },
    fix: "Store the rejection PLAYER_BLOCKED of a bet as any other, and look for the stored reply before you look at the player. Otherwise a late copy takes money once the block has ended.",
    async run(it) {
      const before = await it.fund(it.player, 500n);
      await it.fund(it.blocked, 500n);
      const bet = it.player.bet(100n);
      await it.rejects(as(bet, { player_id: it.blocked.id }));
      await it.refuses(bet);
      await it.balanceIs(it.player, before, "the rejected bet took nothing, also later");
    },
  },
  {
    id: "new-bet",
    title: "After a rejected bet another bet is taken",
    rule: "contract-bet",
    fix: "A rejection belongs to its tx_id. It must not stop another bet, player or round.",
    async run(it) {
      const before = await it.fund(it.player, 500n);
      const bet = it.player.bet(before + 100n);
      await it.rejects(bet);
      await it.accepts(it.player.bet(250n, { round_id: bet.fields.round_id ?? "" }));
      await it.balanceIs(it.player, before - 250n, "the second bet was taken");
    },
  },
  {
    id: "win-anew",
    title: "A rejected win is judged anew when its tx_id comes again",
    rule: "contract-judge-anew",
    fix: FORGET,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.rejects(as(win, { player_id: `certify-nobody-${it.player.txId()}` }));
      await it.accepts(win);
      await it.balanceIs(it.player, before + 500n, "the win was paid in the end");
    },
  },
  {
    id: "refund-anew",
    title: "A refund that was rejected for its amount is judged anew when its tx_id comes again",
    rule: "contract-judge-anew",
    fix: FORGET,
    async run(it) {
      const before = await it.fund(it.player, 500n);
      const bet = it.player.bet(500n);
      await it.accepts(bet);
      const refund = it.player.refund(bet);
      await it.rejects(as(refund, { amount: 400n }));
      await it.accepts(refund);
      await it.balanceIs(it.player, before, "the bet was given back in the end");
    },
  },
  {
    id: "refund-not-found-anew",
    title: "A refund that found no bet is judged anew when its tx_id comes again",
    rule: "contract-judge-anew",
    fix: FORGET,
    async run(it) {
      const before = await it.fund(it.player, 500n);
      const bet = it.player.bet(500n);
      await it.accepts(bet);
      const refund = it.player.refund(bet);
      await it.rejects(as(refund, { ref_tx_id: it.player.txId() }));
      await it.accepts(refund);
      await it.balanceIs(it.player, before, "the bet was given back in the end");
    },
  },
  {
    id: "rollback-not-found-anew",
    title: "A rollback that found no win is judged anew when its tx_id comes again",
    rule: "contract-judge-anew",
    fix: FORGET,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.accepts(win);
      const rollback = it.player.rollback(win);
      await it.rejects(as(rollback, { ref_tx_id: it.player.txId() }));
      await it.accepts(rollback);
      await it.balanceIs(it.player, before, "the win was taken back in the end");
    },
  },
  {
    id: "rollback-kept",
    title: "A rollback that was rejected for its amount is still rejected when it comes again",
    rule: "contract-keep-rejections",
    fix: "Store the rejection of a rollback with its tx_id, unless it is TRANSACTION_NOT_FOUND.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(500n);
      await it.accepts(win);
      const rollback = it.player.rollback(win, { amount: 400n });
      await it.rejects(rollback);
      await it.rejects(rollback);
      await it.rejects(as(rollback, { amount: 500n }));
      await it.balanceIs(it.player, before + 500n, "the win was not taken back");
    },
  },
];

export const rejections: Category = { id: "rejections", title: "Rejections", cases };
