/** Plays a script against the wallet, and compares every answer and balance with the model. */

import { Finding } from "../../report/ending.ts";
import type { Callback } from "../calls/callback.ts";
import { decimal } from "../calls/money.ts";
import type { Exchange } from "../calls/wallet.ts";
import { differs, inWords, type Trial } from "../trial.ts";
import { Model } from "./model.ts";
import type { Definition, Script, Send } from "./script.ts";

interface Answered {
  readonly callback: Callback;
  readonly exchanges: readonly Exchange[];
}

/** @throws Finding at the first step whose answers do not fit any order of its callbacks. */
export async function play(it: Trial, script: Script): Promise<void> {
  let model = new Model(await it.fund(it.player, BigInt(script.start)));
  const made = new Map<number, Callback>();
  for (const [i, step] of script.steps.entries()) {
    const callbacks = step.map(({ send }) => make(it, script, made, model.balance, send));
    const answered = await Promise.all(step.map((send, at) => sendAll(it, send, callbacks[at] as Callback)));
    // A callback whose connection was cut is sent again, as the service would do. Otherwise its outcome stays unknown.
    for (const [at, { cut, copies = 1 }] of step.entries())
      if (cut !== undefined) answered[at] = await again(it, answered[at] as Answered, copies);
    const silent = answered.flatMap(({ exchanges }) => exchanges).find(({ reply }) => reply.meaning.kind === "silent");
    if (silent !== undefined) throw differs("an answer", silent, `${inWords(silent)}, in step ${i + 1}`);
    const balance = await it.balance(it.player);
    const next = explain(model, answered, balance);
    if (next === undefined) throw contradiction(it, model, answered, balance, i);
    model = next;
  }
}

async function sendAll(it: Trial, { copies = 1, cut }: Send, callback: Callback): Promise<Answered> {
  const batch = Array<Callback>(copies).fill(callback);
  const cutOff = cut === undefined ? undefined : it.send(callback, { cut: { body: "whole", afterMs: cut } });
  const exchanges = await it.settledAtOnce(batch);
  await cutOff;
  return { callback, exchanges };
}

async function again(it: Trial, { callback, exchanges }: Answered, copies: number): Promise<Answered> {
  return { callback, exchanges: [...exchanges, ...(await it.settledAtOnce(Array<Callback>(copies).fill(callback)))] };
}

/**
 * The model after the callbacks, in an order that gives all these answers and this balance; undefined when no order
 * fits.
 */
function explain(model: Model, answered: readonly Answered[], balance: bigint): Model | undefined {
  for (const order of permutations(answered)) {
    const next = model.copy();
    const fits = order.every(({ callback, exchanges }) => {
      const answer = next.judge(callback, exchanges[0]?.reply.meaning);
      return exchanges.every(({ reply: { meaning } }) =>
        meaning.kind === "accepted"
          ? answer.kind === "accepted" && meaning.balance === answer.balance
          : meaning.kind === answer.kind,
      );
    });
    if (fits && next.balance === balance) return next;
  }
  return undefined;
}

function contradiction(
  it: Trial,
  model: Model,
  answered: readonly Answered[],
  balance: bigint,
  step: number,
): Finding<Exchange> {
  const { currency } = it.player.account;
  const money = (minor: bigint): string => `${decimal(minor, currency)} ${currency}`;
  const steps = answered.map(({ callback: { fields }, exchanges }) => {
    const answers = [
      ...new Set(
        exchanges.map(
          ({ reply: { meaning } }) =>
            `${meaning.kind}${meaning.kind === "accepted" && meaning.balance !== null ? ` with ${money(meaning.balance)}` : ""}`,
        ),
      ),
    ];
    return `${fields.action} ${fields.tx_id} of ${money(fields.amount ?? 0n)}${fields.ref_tx_id === undefined ? "" : ` for ${fields.ref_tx_id}`}: ${answers.join(", and ")}`;
  });
  const next = model.copy();
  const right = answered.map(({ callback, exchanges }) => {
    const answer = next.judge(callback, exchanges[0]?.reply.meaning);
    return `${callback.fields.action} ${answer.kind}${answer.kind === "accepted" ? ` with ${money(answer.balance)}` : ""}`;
  });
  const expected = `from the balance ${money(model.balance)}, ${answered.length > 1 ? "for example " : ""}${right.join(", ")}; then the balance ${money(next.balance)}`;
  const received = `in step ${step + 1}: ${steps.join("; ")}; then the balance ${money(balance)}`;
  return new Finding({ expected, received }, answered[0]?.exchanges[0]);
}

/**
 * The callback of a definition. It is made at its first use, because its amount may depend on the balance at that time.
 */
function make(it: Trial, script: Script, made: Map<number, Callback>, balance: bigint, index: number): Callback {
  const known = made.get(index);
  if (known !== undefined) return known;
  const { action, amount, of } = script.callbacks[index] as Definition;
  const { player } = it;
  const original = of === undefined ? undefined : make(it, script, made, balance, of);
  const positive = balance > 0n ? balance : 0n;
  const named = {
    all: positive === 0n ? 1n : positive,
    beyond: positive + 1n,
    whole: original?.fields.amount ?? 0n,
    other: (original?.fields.amount ?? 0n) + 25n,
  };
  const minor = typeof amount === "number" ? BigInt(amount) : named[amount];
  const callback =
    action === "bet" || action === "win"
      ? player[action](minor)
      : player[action](original ?? player.bet(minor), { amount: minor });
  made.set(index, callback);
  return callback;
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items;
  else
    for (const [i, first] of items.entries())
      for (const rest of permutations(items.filter((_, j) => j !== i))) yield [first, ...rest];
}
