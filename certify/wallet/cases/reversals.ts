import type { Callback } from "../calls/callback.ts";
import { anotherCurrency } from "../calls/money.ts";
import type { Unusual } from "../calls/player.ts";
import type { Case, Category } from "../case.ts";
import { rejected, sameAs } from "../expectation.ts";
import type { RuleId } from "../rules.ts";
import type { Trial } from "../trial.ts";
import { REFUSED_ROLLBACK } from "./blocked.ts";

const TOMBSTONE =
  "When a refund (rollback) finds nothing, store its ref_tx_id as a tombstone in the same transaction, and refuse a bet (win) that has one.";
const ONE_REVERSAL = "Put a unique key on (merchant, ref_tx_id) of what you applied, and reject the second reversal.";
const SAME_AMOUNT = "Compare the amount of a refund (rollback) with that of its bet (win), and reject what differs.";
const SPOILT = " A refused reversal leaves nothing behind: only an applied one may mark its reference as reversed.";
const REFERENCE =
  "A refund reverses an applied bet of this player, a rollback an applied win. Check action and player of what `ref_tx_id` names.";

/** Both kinds of reversal, and the actions that they reverse. */
const KINDS = [
  { original: "bet", reversal: "refund", found: "contract-refund" },
  { original: "win", reversal: "rollback", found: "contract-rollback" },
] as const;

/** Makes the case twice: for a bet and its refund, and for a win and its rollback. */
function both(
  suffix: string,
  describe: (original: string, reversal: string) => Omit<Case, "id" | "run" | "rule"> & { rule?: RuleId },
  run: (it: Trial, kind: Pair) => Promise<void>,
): Case[] {
  return KINDS.map(({ original, reversal, found }) => ({
    rule: found,
    ...describe(original, reversal),
    id: `${reversal}-${suffix}`,
    run: (it) =>
      run(it, {
        original: (amount) => it.player[original](amount),
        reversal: (of, unusual) => it.player[reversal](of, unusual),
        wrong: (of) => it.player[reversal === "refund" ? "rollback" : "refund"](of),
        others: (of) => it.second[reversal](of),
      }),
  }));
}

interface Pair {
  readonly original: (amount: bigint) => Callback;
  readonly reversal: (of: Callback, unusual?: Unusual) => Callback;
  /** The reversal of another action: a rollback for a bet, a refund for a win. */
  readonly wrong: (of: Callback) => Callback;
  /** The same reversal for the other player. */
  readonly others: (of: Callback) => Callback;
}

/** A wrong reversal is refused and changes nothing. Then the right one works. */
async function refusedFirst(
  it: Trial,
  reversed: Callback,
  wrong: (of: Callback) => Callback,
  right: (of: Callback) => Callback,
): Promise<void> {
  const before = await it.fund(it.player, 1_000n);
  const { reply } = await it.accepts(reversed);
  const between = await it.balance(it.player);
  await it.rejects(wrong(reversed));
  it.expect(await it.send(reversed), sameAs(reply), "what a refused reversal names");
  await it.balanceIs(it.player, between, "a refused reversal moves nothing");
  await it.accepts(right(reversed));
  await it.balanceIs(it.player, before, "the right reversal was applied");
}

const cases: readonly Case[] = [
  ...both(
    "unknown",
    (original, reversal) => ({
      title: `A ${reversal} of a ${original} that never came is rejected, also when it comes again, and moves nothing`,
      fix: REFERENCE,
    }),
    async (it, { original, reversal }) => {
      const before = await it.fund(it.player, 1_000n);
      const late = reversal(original(250n));
      await it.rejects(late);
      await it.rejects(late);
      await it.balanceIs(it.player, before, "nothing was reversed");
    },
  ),
  ...both(
    "unknown-code",
    (original, reversal) => ({
      title: `A ${reversal} of a ${original} that never came is rejected as TRANSACTION_NOT_FOUND`,
      level: "should",
      fix: `Use the code TRANSACTION_NOT_FOUND. Only this code tells the service that a ${original} without an answer was never applied, and closes both.`,
    }),
    async (it, { original, reversal }) => {
      await it.fund(it.player, 1_000n);
      await it.rejects(reversal(original(250n)), ["TRANSACTION_NOT_FOUND"]);
    },
  ),
  ...both(
    "tombstone",
    (original, reversal) => ({
      rule: "contract-tombstone",
      title: `A ${original} that comes after its ${reversal} found nothing is refused, however often it comes`,
      fix: TOMBSTONE,
    }),
    async (it, { original, reversal }) => {
      const before = await it.fund(it.player, 1_000n);
      const overtaken = original(250n);
      await it.rejects(reversal(overtaken));
      await it.rejects(overtaken);
      it.expectAll(await it.settledAtOnce([overtaken, overtaken, overtaken]), rejected());
      await it.balanceIs(it.player, before, "what was overtaken by its reversal is not applied");
    },
  ),
  ...both(
    "tombstone-kept",
    (original, reversal) => ({
      rule: "contract-tombstone",
      title: `The ${reversal} of a ${original} that was refused by its tombstone finds nothing either`,
      fix: TOMBSTONE,
    }),
    async (it, { original, reversal }) => {
      const before = await it.fund(it.player, 1_000n);
      const overtaken = original(250n);
      const late = reversal(overtaken);
      await it.rejects(late);
      await it.answers(overtaken);
      await it.rejects(late);
      await it.rejects(reversal(overtaken));
      await it.balanceIs(it.player, before, "nothing was applied, and nothing was reversed");
    },
  ),
  ...both(
    "second-id",
    (original, reversal) => ({
      rule: "contract-reverse-once",
      title: `A second ${reversal} of a ${original} under another tx_id is rejected`,
      fix: ONE_REVERSAL,
    }),
    async (it, { original, reversal }) => {
      const before = await it.fund(it.player, 1_000n);
      const reversed = original(250n);
      await it.accepts(reversed);
      await it.accepts(reversal(reversed));
      await it.rejects(reversal(reversed));
      await it.rejects(reversal(reversed));
      await it.balanceIs(it.player, before, "it was reversed once");
    },
  ),
  ...both(
    "less",
    (original, reversal) => ({
      rule: "contract-reverse-whole",
      title: `A ${reversal} of less than the ${original} is rejected, and the whole can be reversed after it`,
      fix: SAME_AMOUNT,
    }),
    async (it, { original, reversal }) => {
      const before = await it.fund(it.player, 1_000n);
      const reversed = original(250n);
      await it.accepts(reversed);
      await it.rejects(reversal(reversed, { amount: 200n }));
      await it.accepts(reversal(reversed));
      await it.balanceIs(it.player, before, "the whole was reversed, once");
    },
  ),
  ...both(
    "more",
    (original, reversal) => ({
      rule: "contract-reverse-whole",
      title: `A ${reversal} of more than the ${original} is rejected, and the whole can be reversed after it`,
      fix: SAME_AMOUNT + SPOILT,
    }),
    (it, { original, reversal }) =>
      refusedFirst(it, original(250n), (reversed) => reversal(reversed, { amount: 300n }), reversal),
  ),
  ...both(
    "currency",
    (original, reversal) => ({
      rule: "contract-scope",
      title: `A ${reversal} in another currency is rejected, and the ${original} can be reversed after it`,
      fix: `Compare \`currency\` with the merchant's before you move anything, and reject what differs.${SPOILT}`,
    }),
    (it, { original, reversal }) => {
      const currency = anotherCurrency(it.player.account.currency);
      // The amount is whole, so that it is the same number in each currency.
      return refusedFirst(it, original(500n), (reversed) => reversal(reversed, { currency }), reversal);
    },
  ),
  ...both(
    "other-player",
    (original, reversal) => ({
      title: `A ${reversal} for one player that names another player's ${original} is rejected, and its own player's ${reversal} works after it`,
      needs: { players: 2 },
      fix: REFERENCE + SPOILT,
    }),
    async (it, { original, reversal, others }) => {
      const second = await it.fund(it.second, 1_000n);
      await refusedFirst(it, original(250n), others, reversal);
      await it.balanceIs(it.second, second, "what was reversed was not this player's");
    },
  ),
  ...both(
    "wrong-action",
    (original, reversal) => ({
      title: `A ${original} is not reversed by a ${reversal === "refund" ? "rollback" : "refund"}, and its ${reversal} works after that`,
      fix: REFERENCE + SPOILT,
    }),
    (it, { original, reversal, wrong }) => refusedFirst(it, original(250n), wrong, reversal),
  ),
  ...(["refund", "rollback"] as const).flatMap((reversal) =>
    (["refund", "rollback"] as const).map(
      (reversed): Case => ({
        id: `${reversal}-of-${reversed}`,
        title: `A ${reversal} that names a ${reversed} is rejected`,
        rule: `contract-${reversal}`,
        fix: REFERENCE,
        async run(it) {
          const before = await it.fund(it.player, 1_000n);
          const original = reversed === "refund" ? it.player.bet(250n) : it.player.win(250n);
          await it.accepts(original);
          const first = it.player[reversed](original);
          await it.accepts(first);
          await it.rejects(it.player[reversal](first));
          await it.accepts(first);
          await it.balanceIs(it.player, before, `the ${original.fields.action} was reversed once`);
        },
      }),
    ),
  ),
  {
    id: "refund-of-rejected-bet",
    title: "A refund of a rejected bet is rejected, and no money is returned",
    rule: "contract-refund",
    fix: "A rejected bet was never applied. Look for the reference only among applied transactions.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const bet = it.player.bet(before + 100n);
      await it.rejects(bet);
      await it.rejects(it.player.refund(bet));
      await it.balanceIs(it.player, before, "nothing was taken, so nothing is given back");
    },
  },
  {
    id: "refund-of-itself",
    title: "A refund that names itself is rejected",
    rule: "contract-refund",
    fix: REFERENCE,
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const refund = it.player.refund(it.player.bet(250n));
      const { tx_id = "" } = refund.fields;
      await it.rejects({ ...refund, fields: { ...refund.fields, ref_tx_id: tx_id } });
      await it.balanceIs(it.player, before, "there was nothing to give back");
    },
  },
  {
    id: "refund-after-spending",
    title: "A refund that is repeated after the player has spent the money is not paid again",
    rule: "contract-once",
    fix: "Store the refund's reply with its tx_id, like any other reply.",
    async run(it) {
      await it.setBalance(it.player, 500n);
      const bet = it.player.bet(500n);
      await it.accepts(bet);
      const refund = it.player.refund(bet);
      await it.accepts(refund);
      await it.accepts(it.player.bet(500n));
      await it.accepts(refund);
      await it.balanceIs(it.player, 0n, "the refund was given once and spent");
    },
  },
  {
    id: "rollback-below-zero",
    title:
      "A rollback of a win that was spent leaves less than nothing, or is rejected for good; its repeat gets the same answer",
    rule: "contract-rollback",
    fix: "Take the win back and let the balance be negative. If you must reject, keep the rejection.",
    async run(it) {
      await it.setBalance(it.player, 0n);
      const win = it.player.win(1_000n);
      await it.accepts(win);
      await it.accepts(it.player.bet(1_000n));
      const rollback = it.player.rollback(win);
      const { reply } = await it.answers(rollback);
      const after = reply.meaning.kind === "accepted" ? -1_000n : 0n;
      await it.balanceIs(
        it.player,
        after,
        reply.meaning.kind === "accepted" ? "the win was taken back" : "a rejected rollback takes nothing",
      );
      await it.accepts(it.player.win(1_500n));
      const again = await it.send(rollback);
      it.expect(again, {
        sentence: () => `the same answer again: ${reply.meaning.kind}`,
        isMet: ({ meaning }) => meaning.kind === reply.meaning.kind,
      });
      await it.balanceIs(it.player, after + 1_500n, "a repeat changes nothing");
    },
  },
  {
    id: "rollback-negative",
    title: "A rollback of a spent win is accepted, and the reply has the negative balance",
    rule: "contract-negative",
    isAllowable: true,
    fix: `Take the win back: a negative balance is fine. ${REFUSED_ROLLBACK} If you accept that, run with --allow reversals/rollback-negative.`,
    async run(it) {
      await it.setBalance(it.player, 0n);
      const win = it.player.win(1_000n);
      await it.accepts(win);
      await it.accepts(it.player.bet(1_000n));
      await it.accepts(it.player.rollback(win), -1_000n);
      await it.rejects(it.player.bet(100n));
      await it.accepts(it.player.win(250n), -750n);
    },
  },
];

export const reversals: Category = { id: "reversals", title: "Refunds and rollbacks", cases };
