/**
 * Hours of usual load with faults. This checks that memory and open files do not grow, and that every effect happened
 * once.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { ACTION, STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { transactionRows } from "../history/transaction-rows.ts";
import type { Bench, Measurement, Section, Table } from "../measurement.ts";
import { figure } from "../report/report.ts";
import { slope, spread } from "../report/statistics.ts";
import { Effects, type Found, faultsOf, LEDGER_FILE } from "../soak/effects.ts";
import type { LedgerWalletOrder } from "../soak/ledger-wallet.ts";
import { type Sample, Watch } from "../soak/watch.ts";
import { Stage, type Window } from "../stage/stage.ts";
import { pinnedCapacity, SHARE } from "./latency.ts";

export const soak: Measurement = { name: "soak", run };

const MERCHANTS = 50;
const MIX = { wins: 0.3, refunds: 0.02, repeats: 0.03 };
/** The samples of this first share of the time are ignored, because compilers and caches settle then. */
const SETTLING = 0.25;
/** Longer than the longest pause between two resends. */
const STANDSTILL_MS = 400_000;

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(
    bench,
    "mariadb",
    (origin) => [{ merchants: MERCHANTS, sessionsEach: 16, walletUrl: `${origin}/wallet` }],
    {
      pinned: true,
      wallet: "bench/soak/ledger-wallet.ts",
    },
  );
  const url = await stage.seeded();
  const database = openDatabase(url, { max: 1, decisiveMax: 1 });
  try {
    const service = await stage.serviceOver(url);
    const perSecond = (await pinnedCapacity(bench, stage, service)) * SHARE;
    const target = stage.provider(service, stage.directory.merchants, { mix: MIX });
    order(stage, { kind: "faults", on: true });
    const watch = new Watch(service, database, (sample) => bench.log(inWords(sample)));
    const window = await stage.measure(service, {
      kind: "open",
      target,
      perSecond,
      warmUpMs: 0,
      measureMs: bench.options.minutes * 60_000,
    });
    await watch.stop();
    order(stage, { kind: "faults", on: false });
    await creditsEnd(bench, database);
    return section(bench, stage, perSecond, window, watch.samples, await compare(stage, database));
  } finally {
    await database.close();
    await stage.clear();
  }
}

const order = (stage: Stage, one: LedgerWalletOrder): void => stage.wallet.send(one);

const inWords = (one: Sample): string =>
  `${figure(one.at)} min: ${figure(one.residentMib)} MiB, heap ${figure(one.heapMib)} MiB, ${one.handles} handles, ${one.connections} connections, event loop p99 ${figure(one.lateP99Ms)} ms late`;

/** Waits until all credits have a final state, or until nothing has changed for longer than any pause. */
async function creditsEnd(bench: Bench, { knex }: Database): Promise<void> {
  let [left, movedAt] = [Number.POSITIVE_INFINITY, performance.now()];
  while (left > 0 && performance.now() - movedAt < STANDSTILL_MS) {
    const row = await knex("tx")
      .where({ status: STATUS.pending })
      .whereIn("action", [ACTION.win, ACTION.refund])
      .count({ n: "*" })
      .first();
    const now = Number(row?.n);
    if (now < left) {
      movedAt = performance.now();
      bench.log(`${now} credits are still pending`);
    }
    left = now;
    if (left > 0) await sleep(1_000);
  }
}

async function compare(stage: Stage, database: Database): Promise<Found> {
  const written = stage.wallet.next<{ kind: "written" }>("written");
  order(stage, { kind: "write" });
  await written;
  const effects = new Effects();
  await effects.read(
    join(stage.folder, LEDGER_FILE),
    new Map(stage.directory.merchants.map(({ code, id }) => [code, id])),
  );
  return effects.compare(transactionRows(database));
}

function section(
  bench: Bench,
  stage: Stage,
  perSecond: number,
  window: Window,
  all: readonly Sample[],
  found: Found,
): Section {
  const { minutes } = bench.options;
  const settled = all.filter(({ at }) => at >= minutes * SETTLING);
  const of = (figureOf: (sample: Sample) => number) => spread(settled.map(figureOf));
  const growth = slope(settled.map(({ at, residentMib }) => ({ at, value: residentMib }))) * 10;
  const third = Math.ceil(settled.length / 3);
  const handles =
    spread(settled.slice(-third).map((one) => one.handles)).median /
    spread(settled.slice(0, third).map((one) => one.handles)).median;
  return {
    title: "A long run",
    method:
      `${minutes} min of ${figure(perSecond)} calls/s (${SHARE * 100} % of the capacity) in an open loop: bets, ${MIX.wins * 100} % wins, ${MIX.refunds * 100} % refunds, ${MIX.repeats * 100} % repeats; bets that stay pending are ` +
      `repeated. The wallet rejects bets, is slow, answers with 500, or falls silent or resets after it has applied. ${stage.sharing} Looked at every 10 s, judged after the first ${SETTLING * 100} % of the time; a few ` +
      "minutes say nothing about growth.",
    tables: [loadTable(window), samplesTable(of), foundTable(found)],
    targets: [
      { what: "resident memory grows in 10 min by", measured: spread([growth]), bound: { atMost: 1 }, unit: "MiB" },
      {
        what: "file handles in the last third, of those in the first",
        measured: spread([handles]),
        bound: { atMost: 1.1 },
        unit: "",
      },
      { what: "event loop, p99 of 10 s", measured: of((one) => one.lateP99Ms), bound: { atMost: 50 }, unit: "ms" },
    ],
    violations: faultsOf(found),
    raw: { window, samples: all, found },
  };
}

function loadTable(window: Window): Table {
  const others = Object.entries(window.others).sort(([, a], [, b]) => b - a);
  return {
    title: "",
    columns: ["calls ended", "", "p50 ms", "p99 ms"],
    rows: [
      ["SUCCESS", String(window.succeeded), figure(window.latencyMs.p50), figure(window.latencyMs.p99)],
      ...others.map(([name, n]) => [name, String(n), "", ""]),
    ],
  };
}

function samplesTable(of: (figureOf: (sample: Sample) => number) => ReturnType<typeof spread>): Table {
  const row = (what: string, figureOf: (sample: Sample) => number): string[] => {
    const { median, min, max } = of(figureOf);
    return [what, figure(median), figure(min), figure(max)];
  };
  return {
    title: "The service",
    columns: ["", "median", "lowest", "highest"],
    rows: [
      row("resident memory, MiB", (one) => one.residentMib),
      row("heap, MiB", (one) => one.heapMib),
      row("file handles", (one) => one.handles),
      row("connections to the database", (one) => one.connections),
      row("event loop late, p99 of 10 s, ms", (one) => one.lateP99Ms),
      row("event loop late, most in 10 s, ms", (one) => one.lateMaxMs),
    ],
  };
}

function foundTable(found: Found): Table {
  return {
    title: "Every row beside the wallet's ledger",
    columns: [
      "rows",
      "effects",
      "twice",
      "success without effect",
      "other amount",
      "failed with effect",
      "without row",
      "debits left pending",
      "credits left pending",
    ],
    rows: [
      [
        found.rows,
        found.effects,
        found.twice,
        found.missing,
        found.other,
        found.failedWithEffect,
        found.withoutRow,
        found.openDebits,
        found.openCredits,
      ].map(String),
    ],
  };
}
