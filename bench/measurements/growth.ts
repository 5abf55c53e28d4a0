/**
 * The effect of a year with ten million transactions on pages, reports, an export and bets. The bets are compared with
 * bets on an empty table.
 */
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import type { BenchMerchant } from "../../testbed/directory/directory.ts";
import { seed } from "../../testbed/directory/seed.ts";
import { type Exported, exportAll, type Walked, walk } from "../growth/pages.ts";
import { type Question, questions } from "../growth/questions.ts";
import { claimsAndSettles } from "../growth/statements.ts";
import { sumGames } from "../history/game-sums.ts";
import { type History, makeHistory, readHistory, startHistory } from "../history/kept-history.ts";
import { RestCaller, TRUSTS_CALLERS } from "../load/rest-caller.ts";
import type { Bench, Measurement, Section, Table, Target } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage } from "../stage/stage.ts";

export const growth: Measurement = { name: "growth", run };

/** A large buffer pool, with limits for the figures, and a small one without limits. */
const POOLS = ["4G", "512M"] as const;
const WARM_UP_MS = 5_000;
/** The number of merchants with sessions. */
const PLAYING = 8;

interface Grown {
  readonly pool: string;
  readonly answers: readonly { readonly question: Question; readonly ms: Spread }[];
  readonly listing: Walked;
  readonly feed: Walked;
  readonly csv: Exported;
  /** The rates with the history, as a share of the rates on an empty table, round by round. */
  readonly statements: Spread;
  readonly bets: Spread;
}

async function run(bench: Bench): Promise<Section> {
  const folder = bench.options.datadir ?? join(bench.folder, "history");
  if (readHistory(folder) === undefined) {
    bench.log(`a history of ${bench.options.transactions} transactions in ${folder}, which takes a while`);
    await makeHistory(folder, { transactions: bench.options.transactions, merchants: 200, seed: 1 }, bench.log);
  }
  const grown: Grown[] = [];
  for (const pool of POOLS) grown.push(await measure(bench, folder, pool));
  return section(bench, readHistory(folder) as History, grown);
}

async function measure(bench: Bench, folder: string, pool: string): Promise<Grown> {
  const { server, url, history } = await startHistory(folder, pool);
  const masterKey = Buffer.from(history.masterKey, "base64");
  const playing = history.directory.merchants.slice(0, PLAYING);
  let origin = "";
  const stage = await Stage.around(
    bench,
    async () => ({
      kind: "mariadb",
      pids: [server.pid],
      create: () => server.createDatabase("empty"),
      stop: () => server.stop(),
    }),
    (walletOrigin) => {
      origin = walletOrigin;
      return { ...history.directory, merchants: playing };
    },
  );
  const database = openDatabase(url);
  try {
    const emptyUrl = await emptyTwin(database, stage, masterKey);
    for (const one of [url, emptyUrl]) await setWallet(one, `${origin}/wallet`);
    const env = { ...TRUSTS_CALLERS, MASTER_KEY: history.masterKey };
    const service = await stage.serviceOver(url, env);
    await sumGames(url, history);
    const caller = new RestCaller(service.restOrigin, playing[0] as BenchMerchant);
    bench.log(`buffer pool ${pool}`);
    const answers = await answersOf(bench, caller, await questions(database, history));
    const from = new Date(history.month.from).toISOString();
    const month = new URLSearchParams({ from, to: new Date(history.month.to).toISOString() }).toString();
    const listing = await walk(caller, `/v1/transactions?${month}`, bench.log);
    const feed = await walk(caller, `/v1/transactions?updated_since=${encodeURIComponent(from)}`, bench.log);
    bench.log(
      `last pages of ${listing.pages}: ${figure(listing.lastMs.median)} ms beside ${figure(listing.firstMs.median)}; of the feed ${figure(feed.lastMs.median)} beside ${figure(feed.firstMs.median)}`,
    );
    const csv = await exportAll(caller, `/v1/transactions?${month}&format=csv`, service.child.pid);
    bench.log(
      `${figure(csv.megabytes)} MB of CSV in ${figure(csv.seconds)} s, ${figure(csv.grownMib)} MiB more memory`,
    );
    await caller.close();

    const bets = await ratesBeside(bench, "whole path", service, await stage.serviceOver(emptyUrl, env), (program) =>
      betsPerSecond(bench, stage, program),
    );
    const statements = await ratesBeside(bench, "claims and settles", url, emptyUrl, (one) =>
      claimsAndSettles(one, playing, history.directory.provider, bench.options.seconds),
    );
    return { pool, answers, listing, feed, csv, statements, bets };
  } finally {
    await database.knex.raw("DROP DATABASE IF EXISTS empty").catch(() => {});
    await database.close();
    await stage.clear();
  }
}

/** A database with the same merchants and no transactions. */
async function emptyTwin({ knex }: Database, stage: Stage, masterKey: Uint8Array): Promise<string> {
  await knex.raw("DROP DATABASE IF EXISTS empty");
  const url = await stage.database.create();
  await seed(url, masterKey, stage.directory);
  return url;
}

async function setWallet(url: string, walletUrl: string): Promise<void> {
  const { knex, close } = openDatabase(url);
  await knex("merchants").update({ wallet_url: walletUrl });
  await close();
}

async function answersOf(bench: Bench, caller: RestCaller, questions: readonly Question[]): Promise<Grown["answers"]> {
  const answers: { question: Question; ms: Spread }[] = [];
  for (const question of questions) {
    const times: number[] = [];
    // The first call of each question is not measured, because it fills the caches and lets the compiler optimise the
    // code.
    for (const target of [question.targets[0] as string, ...question.targets])
      times.push((await caller.get(target)).ms);
    const ms = spread(times.slice(1));
    bench.log(`${question.group}: ${question.what}: ${spreadText(ms)} ms`);
    answers.push({ question, ms });
  }
  return answers;
}

/** The first rate divided by the second, measured in turns. */
async function ratesBeside<T>(
  bench: Bench,
  what: string,
  grown: T,
  empty: T,
  rate: (of: T) => Promise<number>,
): Promise<Spread> {
  const ratios: number[] = [];
  for (let i = 0; i < bench.options.runs; i++) {
    const order = i % 2 === 0 ? [grown, empty] : [empty, grown];
    const [first = 0, second = 0] = [await rate(order[0] as T), await rate(order[1] as T)];
    const [ofGrown, ofEmpty] = i % 2 === 0 ? [first, second] : [second, first];
    bench.log(`${what}: ${figure(ofGrown)}/s, on an empty table ${figure(ofEmpty)}/s`);
    ratios.push(ofGrown / ofEmpty);
  }
  return spread(ratios);
}

async function betsPerSecond(bench: Bench, stage: Stage, program: Program): Promise<number> {
  const target = stage.target(program);
  const window = await stage.measure(program, {
    kind: "closed",
    target,
    concurrency: 64,
    warmUpMs: WARM_UP_MS,
    measureMs: bench.options.seconds * 1_000,
  });
  return window.perSecond;
}

function section(bench: Bench, history: History, grown: readonly Grown[]): Section {
  const [bounded] = grown;
  if (bounded === undefined) throw new Error("nothing was measured");
  return {
    title: "A year of transactions",
    method:
      `${history.transactions} transactions of ${history.directory.merchants.length} merchants in a year, of which one has ${bounded.listing.items} in the last 31 days: what that one asks over REST, one call at a time, ` +
      `from the signature to the last byte. MariaDB with a buffer pool of ${POOLS.join(", and once more of ")}. Bets: 64 callers of ${PLAYING} merchants, and claims and settles in statements of 13 rows, beside the same on an ` +
      `empty table in the same server, ${bench.options.runs} interleaved runs of ${bench.options.seconds} s. Median (lowest-highest).`,
    tables: [answerTable(grown), pageTable(grown)],
    targets: targets(bounded),
    raw: grown,
  };
}

function answerTable(grown: readonly Grown[]): Table {
  const rows = (grown[0]?.answers ?? []).map(({ question: { group, what } }, i) => [
    `${group}: ${what}`,
    ...grown.map(({ answers }) => spreadText(answers[i]?.ms as Spread)),
  ]);
  return { title: "Answers", columns: ["", ...grown.map(({ pool }) => `${pool}, ms`)], rows };
}

function pageTable(grown: readonly Grown[]): Table {
  const row = (what: string, of: (one: Grown) => string): string[] => [what, ...grown.map(of)];
  return {
    title: "Pages of 1 000, an export, and bets",
    columns: ["", ...grown.map(({ pool }) => pool)],
    rows: [
      row("listing: first page, ms", ({ listing }) => spreadText(listing.firstMs)),
      row("listing: last pages, ms", ({ listing }) => spreadText(listing.lastMs)),
      row("feed: first page, ms", ({ feed }) => spreadText(feed.firstMs)),
      row("feed: last pages, ms", ({ feed }) => spreadText(feed.lastMs)),
      row("CSV of the month, MB", ({ csv }) => figure(csv.megabytes)),
      row("CSV of the month, s", ({ csv }) => figure(csv.seconds)),
      row("resident memory grown by it, MiB", ({ csv }) => figure(csv.grownMib)),
      row("bets/s, of those on an empty table", ({ bets }) => spreadText(bets)),
      row("claims and settles/s, of those on an empty table", ({ statements }) => spreadText(statements)),
    ],
  };
}

const one = (value: number): Spread => ({ median: value, min: value, max: value });
/** The ratio of the longer time to the shorter time, at least 1. A value far from 1 is bad. */
const apart = ({ firstMs, lastMs }: Walked): Spread =>
  one(Math.max(lastMs.median / firstMs.median, firstMs.median / lastMs.median));

function targets({ answers, listing, feed, csv, bets, statements }: Grown): Target[] {
  return [
    ...answers.map(({ question: { group, what, atMostMs }, ms }) => ({
      what: `${group}: ${what}`,
      measured: ms,
      bound: { atMost: atMostMs },
      unit: "ms",
    })),
    { what: "listing: last pages of the first", measured: apart(listing), bound: { atMost: 1.3 }, unit: "" },
    { what: "feed: last pages of the first", measured: apart(feed), bound: { atMost: 1.3 }, unit: "" },
    { what: "memory grown by the CSV of a month", measured: one(csv.grownMib), bound: { atMost: 100 }, unit: "MiB" },
    { what: "bets/s of those on an empty table", measured: bets, bound: { atLeast: 0.95 }, unit: "" },
    {
      what: "claims and settles/s of those on an empty table",
      measured: statements,
      bound: { atLeast: 0.8 },
      unit: "",
    },
  ];
}
