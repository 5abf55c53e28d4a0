import { readFileSync } from "node:fs";
import test from "ava";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { trace } from "./judge/trace.ts";
import { runSeed } from "./run-seed.ts";
import { FAULTS_AT, FAULTS_OF_RUNS } from "./world/coverage.ts";

/** The number of seeds. A test run has 500 by default, and SIMULATION_SEEDS sets another number. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 500);

const regressions = JSON.parse(readFileSync(new URL("regressions.json", import.meta.url), "utf8")) as {
  seed: number;
  found: string;
}[];

test(`in ${SEEDS} seeds no invariant is broken, and each kind of fault has happened`, async (t) => {
  const happened = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations, counts } = await runSeed(seed);
    t.deepEqual(violations, [], `npm run simulate -- --seed ${seed}`);
    for (const [name, count] of counts) if (count > 0) happened.add(name);
  }
  const faults = [...new Set([...FAULTS_AT.values()].flat()), ...FAULTS_OF_RUNS];
  t.deepEqual(
    faults.filter((name) => !happened.has(name)),
    [],
  );
});

for (const { seed, found } of regressions) {
  test(`seed ${seed}, which once found that ${found}, breaks no invariant`, async (t) => {
    t.deepEqual((await runSeed(seed)).violations, []);
  });
}

test("the same seed gives the same states, and another seed gives other states", async (t) => {
  const hashes = [];
  for (const seed of [7, 70, 700, 7_000]) {
    const { hash } = await runSeed(seed);
    t.is((await runSeed(seed)).hash, hash);
    hashes.push(hash);
  }
  t.is(new Set(hashes).size, 4);
});

test("the trace of a transaction has all of its requests, calls and rows, and none of another transaction", async (t) => {
  const { record } = await runSeed(7);
  const { content } = record.calls[0] as (typeof record.calls)[number];
  const id = `${content.merchantId}/${content.refTxId ?? content.txId}`;
  const lines = trace(record, id);
  const ofPair = ({ merchantId, txId, refTxId }: Content) =>
    [txId, refTxId].some((one) => `${merchantId}/${one}` === id);
  const count = (kind: string) => lines.filter((line) => line.slice(9).startsWith(`${kind} `)).length;
  t.is(count("ASKED"), record.operations.filter((operation) => ofPair(operation.content)).length);
  t.is(count("TOLD"), count("ASKED"));
  t.is(count("ROW"), record.writes.filter(({ after }) => ofPair(after)).length);
  const calls = record.calls.filter((call) => ofPair(call.content));
  t.is(count("CALL"), calls.length + calls.filter(({ answer }) => answer !== null).length);
  t.true(calls.length > 0 && count("ROW") > 0);
});

test("a fault that is switched off does not happen", async (t) => {
  for (let seed = 1; seed <= 20; seed++) {
    const { counts } = await runSeed(seed, { without: ["crash", "blackout", "dbLost"] });
    t.is(counts.get("crash"), 0);
    t.false(counts.has("dbLost"));
  }
});
