import type { Callback } from "../calls/callback.ts";
import type { Case, Category } from "../case.ts";
import { accepted, sameAs } from "../expectation.ts";
import type { Trial } from "../trial.ts";

const ONCE =
  "Look for the tx_id first, and return the stored reply when it is there. Store it in one database transaction with the balance.";
const UNIQUE =
  "Put a unique key on (merchant, tx_id), and insert before you move money, in one database transaction. A look before an insert lets copies through.";

interface Kind {
  readonly id: string;
  readonly what: string;
  /** The change of the balance. */
  readonly delta: bigint;
  /** Makes the callback. Any transaction that it refers to has been applied. */
  readonly make: (it: Trial) => Promise<Callback>;
}

async function applied(it: Trial, callback: Callback): Promise<Callback> {
  await it.accepts(callback);
  return callback;
}

const KINDS: readonly Kind[] = [
  { id: "bet", what: "A bet", delta: -250n, make: async ({ player }) => player.bet(250n) },
  { id: "win", what: "A win", delta: 250n, make: async ({ player }) => player.win(250n) },
  {
    id: "refund",
    what: "A refund",
    delta: 250n,
    make: async (it) => it.player.refund(await applied(it, it.player.bet(250n))),
  },
  {
    id: "rollback",
    what: "A rollback",
    delta: -250n,
    make: async (it) => it.player.rollback(await applied(it, it.player.win(250n))),
  },
];

/** Sends copies of one callback in some way, and checks that only one was applied. */
const copies = (
  suffix: string,
  how: string,
  { id, what, delta, make }: Kind,
  more: Pick<Case, "rule" | "fix">,
  send: (it: Trial, copy: Callback) => Promise<void>,
): Case => ({
  ...more,
  id: `${id}${suffix}`,
  title: `${what} that comes ${how} is applied once`,
  async run(it) {
    await it.fund(it.player, 1_000n);
    const callback = await make(it);
    const before = await it.balance(it.player);
    await send(it, callback);
    await it.balanceIs(it.player, before + delta, `one ${id}, however often it came`);
  },
});

const inSequence = KINDS.map((kind) =>
  copies("", "three times", kind, { rule: "contract-once", fix: ONCE }, async (it, copy) => {
    for (const _ of [1, 2, 3]) await it.accepts(copy);
  }),
);

const atOnce = KINDS.map((kind) =>
  copies("-50-at-once", "50 times at once", kind, { rule: "contract-concurrent", fix: UNIQUE }, async (it, copy) => {
    const exchanges = await it.settledAtOnce(Array<Callback>(50).fill(copy));
    it.expectAll(exchanges, accepted(), "each of 50 copies of one callback");
    const [first] = exchanges;
    if (first !== undefined) it.expectAll(exchanges, sameAs(first.reply), "each of 50 copies of one callback");
  }),
);

/** A repeat after the balance has changed gets the stored reply. */
const late = KINDS.map(
  ({ id, what, make }): Case => ({
    id: `${id}-late`,
    title: `${what} repeated after the balance has changed gets the stored reply with its old balance`,
    rule: "contract-once",
    fix: "Store the reply and return it. Do not make a new reply from the present balance.",
    async run(it) {
      await it.fund(it.player, 1_000n);
      const callback = await make(it);
      const { reply } = await it.accepts(callback);
      await it.accepts(it.player.win(500n));
      const now = await it.balance(it.player);
      const again = await it.send(callback);
      it.expect(again, sameAs(reply));
      await it.balanceIs(it.player, now, "a repeat changes nothing");
    },
  }),
);

const cases: readonly Case[] = [
  ...inSequence,
  ...atOnce,
  ...late,
  {
    id: "bet-without-funds-now",
    title: "A bet that is repeated after the player has spent the money gets its stored success",
    rule: "contract-once",
    fix: "Look for the tx_id before you check the balance.",
    async run(it) {
      await it.setBalance(it.player, 500n);
      const bet = it.player.bet(500n);
      const { reply } = await it.accepts(bet);
      it.expect(await it.send(bet), sameAs(reply));
      await it.balanceIs(it.player, 0n, "the bet was taken once");
    },
  },
  {
    id: "other-amount",
    title: "A tx_id that comes again with another amount moves nothing",
    rule: "contract-once",
    fix: "The tx_id alone decides. Return the stored reply, or reject; never apply the second content.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.answers({ ...bet, fields: { ...bet.fields, amount: 500n } });
      await it.balanceIs(it.player, before - 250n, "the first bet alone was taken");
    },
  },
  {
    id: "other-action",
    title: "A tx_id that comes again with another action moves nothing",
    rule: "contract-once",
    fix: "The unique key is (merchant, tx_id), without the action.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.answers({ ...bet, fields: { ...bet.fields, action: "win" } });
      await it.balanceIs(it.player, before - 250n, "the bet alone was applied");
    },
  },
  {
    id: "other-player",
    title: "A tx_id that comes again for another player moves nothing",
    rule: "contract-once",
    needs: { players: 2 },
    fix: "The unique key is (merchant, tx_id), without the player.",
    async run(it) {
      const [first, second] = [await it.fund(it.player, 1_000n), await it.fund(it.second, 1_000n)];
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.answers({ ...bet, fields: { ...bet.fields, player_id: it.second.id } });
      await it.balanceIs(it.player, first - 250n, "the first player's bet was taken once");
      await it.balanceIs(it.second, second, "the second player has no part in it");
    },
  },
  {
    id: "bet-after-refund",
    title: "A bet repeated after its refund is not taken again",
    rule: "contract-once",
    fix: "A refund does not free the bet's tx_id: keep the bet as applied, and store the refund in addition.",
    async run(it) {
      const before = await it.fund(it.player, 1_000n);
      const bet = it.player.bet(250n);
      await it.accepts(bet);
      await it.accepts(it.player.refund(bet));
      await it.answers(bet);
      await it.balanceIs(it.player, before, "bet and refund were applied once each");
    },
  },
  {
    id: "win-after-rollback",
    title: "A win repeated after its rollback is not paid again",
    rule: "contract-once",
    fix: "A rollback does not free the win's tx_id: keep the win as applied, and store the rollback in addition.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const win = it.player.win(250n);
      await it.accepts(win);
      await it.accepts(it.player.rollback(win));
      await it.answers(win);
      await it.balanceIs(it.player, before, "win and rollback were applied once each");
    },
  },
  {
    id: "attempt-header",
    title:
      "X-Attempt and X-Request-Id decide nothing: a first arrival that says attempt 2 is applied, a repeat that says attempt 1 is not",
    rule: "sign-callback-info",
    fix: "Use both headers only in your log. The first attempt may have been lost on its way.",
    async run(it) {
      const before = await it.fund(it.player, 0n);
      const headers = { "X-Attempt": "2", "X-Request-Id": "00000000-0000-4000-8000-000000000001" };
      const [first, second] = [it.player.win(250n), it.player.win(500n)];
      await it.accepts(first, undefined, { headers });
      await it.accepts(first, undefined, { headers: { "X-Attempt": "1" } });
      await it.accepts(second, undefined, { headers });
      await it.balanceIs(it.player, before + 750n, "two wins, each once");
    },
  },
];

export const repeats: Category = { id: "repeats", title: "Repeats", cases };
