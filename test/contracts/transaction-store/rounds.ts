import type { ExecutionContext } from "ava";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { ListedRound, RoundListQuery } from "../../../src/ports/transactions/round-store.ts";
import { type ClaimLine, RoundOver, StoreFault } from "../../../src/ports/transactions/transaction-store.ts";
import { id } from "../content.ts";
import { type Actions, type On, type TransactionStoreSetup, token } from "./actions.ts";

/** How often the end of a round and its next bet are sent at the same moment. */
const CROSSINGS = 60;

type Setup = Pick<TransactionStoreSetup, "rounds" | "merchantId" | "otherMerchantId" | "game">;

const keyOf = ({ merchantId, game }: Setup, roundId: string) => ({ merchantId, providerId: game.providerId, roundId });

/** A bet that is refused if its round has ended. */
const bet = (a: Actions, own: string, roundId: string, as: ClaimLine["as"] = "leased"): ClaimLine => ({
  ...a.line({ txId: id(own), roundId }, as),
  unlessEnded: true,
});

const isOver = async (t: ExecutionContext, claim: () => Promise<unknown>) =>
  t.throwsAsync(claim, { instanceOf: RoundOver });

/** The ends of rounds, and the bets that are refused because of them. */
export function rounds(on: On): void {
  on("a bet in an ended round is not inserted, and the other lines of its batch are", async (t, setup) => {
    const { a, store } = setup;
    await setup.rounds.end([{ ...keyOf(setup, "over"), openedAt: null }]);
    const lateLine = bet(a, "late", "over");
    const plainLine = a.line({ txId: id("plain"), roundId: "over" });
    const [late, good, plain] = await store.claim([lateLine, bet(a, "good", "open"), plainLine]);
    t.true(late instanceof RoundOver);
    t.like(good, { mine: true });
    t.like(plain, { mine: true }, "a line without the condition does not look at its round");
    t.deepEqual(await store.read([lateLine.content]), [undefined], "nothing was written");
  });

  on("a bet whose row exists is returned as it is, whatever has become of its round", async (t, setup) => {
    const { a } = setup;
    const line = bet(a, "first", "round");
    t.like(await a.claim(line), { mine: true });
    await setup.rounds.end([{ ...keyOf(setup, "round"), openedAt: null }]);
    t.like(await a.claim(line), { mine: true }, "the same line again");
    t.like(await a.claim({ ...line, token: token() }), { mine: false });
    await isOver(t, () => a.claim(bet(a, "second", "round")));
  });

  on("a round of another merchant, provider or id ends nothing here", async (t, setup) => {
    const { a, merchantId, otherMerchantId, game } = setup;
    const line = { merchantId, providerId: game.providerId, roundId: "round", openedAt: null };
    await setup.rounds.end([
      { ...line, merchantId: otherMerchantId },
      { ...line, providerId: game.providerId + 1 },
      { ...line, roundId: "Round" },
      { ...line, roundId: "round " },
    ]);
    t.like(await a.claim(bet(a, "bet", "round")), { mine: true });
  });

  on("a row keeps whether its transaction ends the round, with and without a lease", async (t, setup) => {
    const { a } = setup;
    const leased = a.line({ txId: id("leased"), roundEnded: true });
    const due = a.line({ txId: id("due"), action: "win", roundEnded: true }, "due");
    t.true((await a.claim(leased)).row.roundEnded);
    const { row } = await a.claim(due);
    const plain = await a.claim(a.line({ txId: id("plain") }));
    const stored = await a.read(leased.content);
    t.like(stored, { ...leased.content, status: "pending", attempts: 1, leaseToken: leased.token, nextAt: null });
    t.like(await a.read(due.content), { roundEnded: true, attempts: 0, leaseUntil: null });
    t.not(row.nextAt, null);
    t.false("roundEnded" in (await a.read(plain.row)));
    t.true(await a.settle(a.settleLine(stored, a.success(1n))));
    t.like(await a.read(leased.content), { status: "success", roundEnded: true });
  });

  on("a void row is adopted with its end, and not in an ended round", async (t, setup) => {
    const { a, store } = setup;
    const adopted = async (own: string, roundId: string) => {
      const line = bet(a, own, roundId);
      const voidLine: ClaimLine = { ...line, token: token(), as: "void", unlessEnded: false };
      await a.claim(voidLine);
      const wanted = { ...line, content: { ...line.content, roundEnded: true as const }, seen: voidLine.token };
      const [result] = await store.adopt([wanted]);
      return { result, wanted };
    };
    t.like((await adopted("open", "open")).result, { status: "pending", roundEnded: true });
    await setup.rounds.end([{ ...keyOf(setup, "over"), openedAt: null }]);
    const { result, wanted } = await adopted("late", "over");
    t.true(result instanceof RoundOver);
    t.like(await a.read(wanted.content), { status: "void" });
    const changed = await store.adopt([{ ...wanted, seen: token() }]);
    t.deepEqual(changed, [undefined], "the row has changed since it was read, which says nothing about the round");
  });

  on("the first end of a round stays, and its earliest beginning", async (t, setup) => {
    const { a } = setup;
    const key = keyOf(setup, "round");
    t.is(await setup.rounds.read(key), undefined);
    const before = await a.now();
    await setup.rounds.end([{ ...key, openedAt: null }]);
    const first = await setup.rounds.read(key);
    t.true(first?.endedAt !== null && (first?.endedAt ?? 0) >= before);
    t.is(first?.openedAt, first?.endedAt ?? 0, "no transaction of the round is known");
    await setup.pass(5);
    await setup.rounds.end([{ ...key, openedAt: 1_000 }]);
    await setup.rounds.end([{ ...key, openedAt: 2_000 }]);
    t.deepEqual(await setup.rounds.read(key), { openedAt: 1_000, endedAt: first?.endedAt ?? 0 });
  });

  on("rounds are listed page by page, ended ones by their end and open ones by their beginning", async (t, setup) => {
    const { merchantId, game, rounds: store } = setup;
    for (const [roundId, openedAt] of [
      ["c", 3_000],
      ["a", 1_000],
      ["b", 1_000],
      ["d", 2_000],
    ] as const) {
      await store.end([{ merchantId, providerId: game.providerId, roundId, openedAt }]);
      if (roundId !== "a") await setup.pass(5);
    }
    const all = async (query: Partial<RoundListQuery>, limit: number): Promise<ListedRound[]> => {
      const found: ListedRound[] = [];
      for (let after: RoundListQuery["after"]; ; ) {
        const page = await store.list({ merchantId, state: "ended", ...query, after }, limit);
        found.push(...page);
        const last = page.at(-1);
        if (last === undefined) return found;
        after = { ...last, at: last.endedAt ?? last.openedAt };
      }
    };
    const names = async (query: Partial<RoundListQuery>, limit = 10) =>
      (await all(query, limit)).map(({ roundId }) => roundId).join("");
    t.regex(await names({}), /^c(ab|ba)d$/);
    t.is(await names({}, 1), await names({}));
    t.is(await names({}, 3), await names({}));
    t.is(await names({ state: "open" }), "");
    t.is(await names({ merchantId: setup.otherMerchantId }), "");
    t.is([...(await names({ openedBefore: 2_000 }))].sort().join(""), "ab");
    const [first, second] = await all({}, 10);
    t.is(await names({ endedSince: first?.endedAt ?? 0 }), await names({}));
    t.is((await names({ endedSince: second?.endedAt ?? 0 })).length, 3);
  });

  on("the end of a round and its bets cross on replicas: a bet after the end is refused", async (t, setup) => {
    const { a, stores } = setup;
    for (let i = 0; i < CROSSINGS; i++) {
      const roundId = `round ${i}`;
      const store = stores[i % stores.length] ?? stores[0];
      const line = bet(a, `bet ${i}`, roundId);
      const [, [claimed]] = await Promise.all([
        setup.rounds.end([{ ...keyOf(setup, roundId), openedAt: null }]),
        store.claim([line]),
      ]);
      if (!(claimed instanceof StoreFault)) t.like(claimed, { mine: true });
      for (const one of stores)
        t.true((await one.claim([bet(a, `late ${i} ${token()}`, roundId)]))[0] instanceof RoundOver);
    }
  });

  on("a bet without a permit is written only in an open round", async (t, setup) => {
    const { a } = setup;
    t.like(await a.claim({ ...bet(a, "one", "round", "due"), leaseMs: wholeMs(0) }), { mine: true });
    await setup.rounds.end([{ ...keyOf(setup, "round"), openedAt: null }]);
    await isOver(t, () => a.claim(bet(a, "two", "round", "due")));
  });
}
