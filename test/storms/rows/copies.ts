import type { Content } from "../../../src/domain/transaction/transaction.ts";
import { type Behaviour, OK, REJECTS } from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { isFinal, isTransient, type Run, words } from "../run.ts";

/** The first behaviour is a slow wallet, so that the copies really wait for one another. */
const BEHAVIOURS: readonly Behaviour[] = [{ ...OK, afterMs: 300 }, OK, REJECTS];
const ACTIONS = ["bet", "win", "refund", "rollback"] as const;

/** Row D1 of docs/notebook/reliability.md. */
export const COPIES: Row = {
  id: "D1",
  what: "simultaneous copies of one request over three replicas",
  runs: 100,
  briefly: 4,
  atOnce: 1,
  async run(run) {
    const { replicas, options } = run.stage;
    const { content, behaviour } = await prepared(run);
    await run.script(content, behaviour);
    const outcomes = await Promise.all(
      Array.from({ length: options.copies }, (_, i) => run.ask(content, replicas[i % replicas.length])),
    );
    // If all copies were refused because of overload, the request is repeated.
    const final = outcomes.find((outcome) => isFinal(outcome)) ?? (await run.repeatUntilFinal(content));
    for (const outcome of outcomes) {
      const fits = words(outcome) === words(final) || words(outcome) === "pending" || isTransient(outcome);
      run.expect(fits, content, `one copy was told ${words(outcome)}, another ${words(final)}`);
    }
    run.expect(final.kind === "ok", content, `the copies' answer is ${words(final)}`);
    for (const replica of replicas) {
      const repeat = await run.ask(content, replica);
      run.expect(
        isTransient(repeat) || words(repeat) === words(final),
        content,
        `told ${words(repeat)} after ${words(final)}`,
      );
    }
    run.afterwards(({ calls, effects }) => {
      const walletCalls = calls(content);
      // A call that timed out has left the bet pending. A repeat of a pending bet calls the wallet again.
      run.expect(
        walletCalls.length > 0 && walletCalls.slice(0, -1).every(({ answer }) => answer === null),
        content,
        `${walletCalls.length} calls of the wallet`,
        "I1",
      );
      const applied = behaviour === REJECTS ? 0 : 1;
      run.expect(
        effects(content).length === applied,
        content,
        `${effects(content).length} effects, not ${applied}`,
        "I1",
      );
    });
  },
};

/**
 * The request to copy. The transaction that it reverses exists already. Only debits are rejected, because each repeat
 * of a rejected credit is judged again.
 */
async function prepared(run: Run): Promise<{ content: Content; behaviour: Behaviour }> {
  const action = ACTIONS[run.n % ACTIONS.length] ?? "bet";
  const isCredit = action === "win" || action === "refund";
  const wanted = BEHAVIOURS[Math.floor(run.n / ACTIONS.length) % BEHAVIOURS.length] ?? OK;
  const behaviour = wanted === REJECTS && isCredit ? OK : wanted;
  if (action === "bet" || action === "win") return { content: run.content(action, "x"), behaviour };
  await run.repeatUntilFinal(run.content(action === "refund" ? "bet" : "win", "o"));
  return { content: run.content(action, "x", "o"), behaviour };
}

/** Row D3 of docs/notebook/reliability.md: the ids in wallet calls differ between the providers. */
export const TWO_PROVIDERS: Row = {
  id: "D3",
  what: "two providers use one id at one merchant",
  runs: 50,
  briefly: 2,
  atOnce: 10,
  async run(run) {
    const { guest, provider } = run.stage.other;
    for (const [action, name, ref] of [
      ["bet", "b", null],
      [run.random.pick(["refund", "win"] as const), "c", "b"],
    ] as const) {
      const own = run.content(action, name, action === "refund" ? ref : null);
      const others: Content = {
        ...own,
        game: guest.game,
        txId: run.wire(guest.code, name),
        refTxId: own.refTxId === null ? null : run.wire(guest.code, "b"),
      };
      const sessionId = guest.sessionOf(run.player);
      const outcomes = await Promise.all([
        run.repeatUntilFinal(own),
        run.repeatUntilFinal(own),
        run.repeatUntilFinal(others, sessionId, provider),
        run.repeatUntilFinal(others, sessionId, provider),
      ]);
      for (const outcome of outcomes) run.expect(words(outcome) === "success", own, `told ${words(outcome)}`);
      run.afterwards(({ effects }) => {
        run.expect(own.txId !== others.txId, own, "both have one id at the wallet", "I2");
        for (const content of [own, others])
          run.expect(effects(content).length === 1, content, `${effects(content).length} effects`, "I1");
      });
    }
  },
};
