/**
 * A hundred thousand wins of one merchant are pending, and the merchant's wallet starts to answer. This measures the
 * speed of the delivery, and the effect on other merchants.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { ACTION, STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { readLog } from "../../src/adapters/sql/transactions/attempt-log.ts";
import { earlyByMs } from "../backlog/backoff.ts";
import { seedCredits } from "../backlog/seed-credits.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import { untilNumbered } from "../stage/bench-database.ts";
import type { Program } from "../stage/programs.ts";
import { Stage, type Window } from "../stage/stage.ts";
import type { WalletOrder } from "../stage/wallet.ts";
import { pinnedCapacity, SHARE } from "./latency.ts";

export const backlog: Measurement = { name: "backlog", run };

const OTHERS = 8;
/**
 * The share of the merchant's calls that its wallet answers with 500 during the delivery. The service sends these wins
 * again later.
 */
const FALTERS = 0.05;
/** A wallet that did not answer has its full limit of parallel calls again after this time. */
const WARM_UP_MS = 8_000;
const LOOK_EVERY_MS = 5_000;
/** Longer than the longest pause between two resends. After this time without a change, nothing will change. */
const STANDSTILL_MS = 400_000;
const PAGE = 5_000;

interface Pair {
  readonly dead: Window;
  readonly draining: Window;
  /** Credits that got a final state per second, in the second window. */
  readonly perSecond: number;
}

async function run(bench: Bench): Promise<Section> {
  const parties = (origin: string) => [{ merchants: OTHERS + 1, sessionsEach: 64, walletUrl: `${origin}/wallet` }];
  const stage = await Stage.set(bench, "mariadb", parties, { pinned: true });
  const url = await stage.seeded();
  const opened = openDatabase(url, { max: 1, decisiveMax: 1 });
  try {
    const service = await stage.serviceOver(url);
    const capacity = await pinnedCapacity(bench, stage, service);
    const seeded = await owe(bench, stage, url);
    const pairs: Pair[] = [];
    for (let i = 0; i < bench.options.runs; i++)
      pairs.push(await pair(bench, stage, service, opened, seeded.id, capacity * SHARE));
    const drained = await drain(bench, opened, seeded.id);
    const log = await backoffOf(opened, seeded.id);
    return section(bench, stage, capacity * SHARE, pairs, drained, log);
  } finally {
    await opened.close();
    await stage.clear();
  }
}

/** Creates the backlog and makes its merchant's wallet silent. */
async function owe(bench: Bench, stage: Stage, url: string) {
  const { merchants, provider, game, currency } = stage.directory;
  const merchant = merchants.at(-1);
  const playerId = merchant?.sessions[0]?.playerId;
  if (merchant === undefined || playerId === undefined) throw new Error("somebody has to be owed");
  stage.silence([merchant]);
  const { credits } = bench.options;
  await seedCredits(url, credits, { merchantId: merchant.id, playerId, currency, provider, game });
  await untilNumbered(url, [merchant.id]);
  bench.log(`${credits} wins of ${merchant.code} are due, and its wallet is silent`);
  return merchant;
}

async function pair(
  bench: Bench,
  stage: Stage,
  service: Program,
  database: Database,
  owedTo: number,
  perSecond: number,
): Promise<Pair> {
  const { merchants } = stage.directory;
  const target = stage.target(service, merchants.slice(0, OTHERS));
  const order = {
    kind: "open",
    target,
    perSecond,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  } as const;
  stage.silence(merchants.slice(OTHERS));
  const dead = await stage.measure(service, order);
  stage.silence([]);
  stage.wallet.send({
    kind: "fail",
    merchants: merchants.slice(OTHERS).map(({ code }) => code),
    share: FALTERS,
  } satisfies WalletOrder);
  // Hanging calls end only at their time-out.
  while ((await stage.hanging()) > 0) await sleep(100);
  const before = await pendingOf(database, owedTo);
  const beganAt = performance.now();
  const draining = await stage.measure(service, order);
  const drained = ((before - (await pendingOf(database, owedTo))) * 1_000) / (performance.now() - beganAt);
  bench.log(
    `others' p99 ${figure(dead.latencyMs.p99)} -> ${figure(draining.latencyMs.p99)} ms while ${figure(drained)} credits/s drain`,
  );
  return { dead, draining, perSecond: drained };
}

interface Drained {
  readonly credits: number;
  readonly seconds: number;
  readonly left: number;
}

/** Waits until no credit is pending, or until nothing has changed for longer than any pause. */
async function drain(bench: Bench, database: Database, owedTo: number): Promise<Drained> {
  const beganAt = performance.now();
  const credits = await pendingOf(database, owedTo);
  let [left, movedAt, loggedAt] = [credits, beganAt, beganAt];
  while (left > 0 && performance.now() - movedAt < STANDSTILL_MS) {
    await sleep(LOOK_EVERY_MS);
    const now = await pendingOf(database, owedTo);
    if (now < left) movedAt = performance.now();
    left = now;
    if (performance.now() - loggedAt < 60_000) continue;
    loggedAt = performance.now();
    bench.log(`${left} left after ${figure((loggedAt - beganAt) / 60_000)} min`);
  }
  return { credits, seconds: (performance.now() - beganAt) / 1_000, left };
}

async function pendingOf({ knex }: Database, merchantId: number): Promise<number> {
  const row = await knex("tx")
    .where({ merchant_id: merchantId, action: ACTION.win, status: STATUS.pending })
    .count({ n: "*" })
    .first();
  return Number(row?.n);
}

interface Backoff {
  /** Credits with more than the two attempts that the wallet's recovery needs. */
  readonly waitedAgain: number;
  readonly early: number;
  readonly earlyByMs: number;
  readonly succeeded: number;
  readonly failed: number;
}

async function backoffOf({ knex }: Database, merchantId: number): Promise<Backoff> {
  const found = { waitedAgain: 0, early: 0, earlyByMs: 0, succeeded: 0, failed: 0 };
  for (let after = "0"; ; ) {
    const rows = await knex("tx")
      .select("id", "status", "attempt_log")
      .where({ merchant_id: merchantId, action: ACTION.win })
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE);
    for (const { status, attempt_log } of rows) {
      const attempts = readLog(attempt_log);
      if (Number(status) === STATUS.success) found.succeeded += 1;
      else if (Number(status) === STATUS.failed) found.failed += 1;
      if (attempts.length > 2) found.waitedAgain += 1;
      const early = earlyByMs(attempts);
      if (early > 0) found.early += 1;
      found.earlyByMs = Math.max(found.earlyByMs, early);
    }
    if (rows.length < PAGE) return found;
    after = String(rows.at(-1)?.id);
  }
}

function section(
  bench: Bench,
  stage: Stage,
  perSecond: number,
  pairs: readonly Pair[],
  drained: Drained,
  log: Backoff,
): Section {
  const of = (figureOf: (pair: Pair) => number) => spread(pairs.map(figureOf));
  const violations = [
    ...(drained.left > 0 ? [`${drained.left} credits never came to an end`] : []),
    ...(log.failed > 0 ? [`${log.failed} credits failed, of a wallet that rejects none`] : []),
    ...(log.early > 0
      ? [`${log.early} credits were sent again too early, by ${figure(log.earlyByMs)} ms at most`]
      : []),
  ];
  return {
    title: "A backlog drains",
    method:
      `${bench.options.credits} pending wins of one merchant, sent once an hour ago and due since. Its wallet is silent, then answers (${FALTERS * 100} % of its calls with a 500, which must wait again). ${OTHERS} others get ` +
      `${figure(perSecond)} bets/s (${SHARE * 100} % of the capacity) in an open loop, timed while the wallet is silent and while the backlog drains, in turns; the rest drains without load. ${stage.sharing} ` +
      `Median (lowest-highest) of ${bench.options.runs} runs of ${bench.options.seconds} s.`,
    tables: [
      {
        title: "",
        columns: ["", ""],
        rows: [
          ["others' p99 while the wallet is silent, ms", spreadText(of(({ dead }) => dead.latencyMs.p99))],
          ["others' p99 while the backlog drains, ms", spreadText(of(({ draining }) => draining.latencyMs.p99))],
          ["drained beside the others' bets, credits/s", spreadText(of((one) => one.perSecond))],
          ["drained without load, credits/s", figure((drained.credits - drained.left) / drained.seconds)],
          ["which took, min", figure(drained.seconds / 60)],
          ["credits that succeeded", String(log.succeeded)],
          ["of them after a further silence", String(log.waitedAgain)],
          ["sent again too early", String(log.early)],
        ],
      },
    ],
    targets: [
      {
        what: "others' p99 while it drains, of what it was",
        measured: of(({ dead, draining }) => draining.latencyMs.p99 / dead.latencyMs.p99),
        bound: { atMost: 1.2 },
        unit: "",
      },
    ],
    violations,
    raw: { pairs, drained, log },
  };
}
