/** How long each page of the console takes until its first data is shown, with a year of transactions. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { builtConsole } from "../../console/build/built-console.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { Child } from "../../testbed/programs/child.ts";
import { untilReady } from "../../testbed/service/readiness.ts";
import { samplesOf } from "../growth/questions.ts";
import { sumGames } from "../history/game-sums.ts";
import { type History, makeHistory, readHistory, startHistory } from "../history/kept-history.ts";
import { DAY_MS } from "../history/plan.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import { benchEnvironment } from "../stage/programs.ts";

export const consolePages: Measurement = { name: "console", run };

const BUFFER_POOL = "4G";
const FIRST_DATA_MS = 1_000;
/** The page that reads a handful of rows, whatever the history. Its time is the browser's own share. */
const FLOOR = "keys";
const FLOOR_NAME = "admin keys (floor: reads one row)";
const SHOWN_WITHIN_MS = 60_000;

interface Looked {
  readonly what: string;
  /** From the request for the page until its data is shown. */
  readonly ms: Spread;
  /** The number of rows that the page shows. */
  readonly rows: number;
}

async function run(bench: Bench): Promise<Section> {
  const folder = bench.options.datadir ?? join(bench.folder, "history");
  if (readHistory(folder) === undefined) {
    bench.log(`a history of ${bench.options.transactions} transactions in ${folder}, which takes a while`);
    await makeHistory(folder, { transactions: bench.options.transactions, merchants: 200, seed: 1 }, bench.log);
  }
  await builtConsole();
  const { server, url, history } = await startHistory(folder, BUFFER_POOL);
  try {
    const { environment, restPort } = await benchEnvironment(url);
    const adminKey = randomBytes(32).toString("base64url");
    const service = new Child(
      ["src/main.ts", "--migrate"],
      { ...environment, ADMIN_KEY: adminKey, MASTER_KEY: history.masterKey },
      join(bench.folder, "console.log"),
    );
    try {
      await untilReady(restPort, service);
      await sumGames(url, history);
      const origin = `http://127.0.0.1:${environment.INTERNAL_HTTP_PORT}`;
      return section(bench, history, await measure(bench, origin, adminKey, await addresses(url, history)));
    } finally {
      await service.stop();
    }
  } finally {
    await server.stop();
  }
}

/** The pages by what they show, as `#/` addresses. */
async function addresses(url: string, { directory, month }: History): Promise<Readonly<Record<string, string>>> {
  const database = openDatabase(url);
  try {
    const { id = 0, code = "" } = directory.merchants[0] ?? {};
    const sample = (await samplesOf(database, id, month))[0];
    if (sample === undefined) throw new Error("the history has no refund");
    const page = (name: string, query: Readonly<Record<string, string>> = {}): string =>
      `${name}?${new URLSearchParams(query)}`;
    const inMonth = { from: new Date(month.from).toISOString(), to: new Date(month.to).toISOString() };
    const days = { from: inMonth.from.slice(0, 10), to: new Date(month.to - 1).toISOString().slice(0, 10), tz: "UTC" };
    const listed = (query: Readonly<Record<string, string>>): string =>
      page("transactions", { merchant: code, ...inMonth, ...query });
    return {
      [FLOOR_NAME]: page(FLOOR),
      today: page("today"),
      "stuck money": page("stuck"),
      "wallet health": page("wallets"),
      "transactions of the busiest merchant, newest": page("transactions", { merchant: code }),
      "its transactions of a month": listed({}),
      "its failed transactions of a month": listed({ status: "failed" }),
      "its busiest player, a month": listed({ player: "u-0" }),
      "search for a transaction's id": page("transactions", { q: sample.txId }),
      "search for a round": page("transactions", { q: sample.roundId }),
      "search for the busiest player": page("transactions", { q: "u-0" }),
      "timeline of a refund": page("transaction", { merchant: code, tx: sample.txId }),
      ...Object.fromEntries(
        ["day", "provider", "type", "game"].map((by) => [
          `report of a month by ${by}, beside the month before`,
          page("reports", { merchant: code, ...days, by }),
        ]),
      ),
      ...Object.fromEntries(
        ["day", "merchant", "provider", "type", "game"].map((by) => [
          `report of a month of all merchants by ${by}, beside the month before`,
          page("reports", { merchant: "*BRL", ...days, by }),
        ]),
      ),
      "report of a week of all merchants by game, beside the week before": page("reports", {
        merchant: "*BRL",
        ...days,
        from: new Date(Date.parse(days.to) - 6 * DAY_MS).toISOString().slice(0, 10),
        by: "game",
      }),
      // The busiest merchant has more players in a day than a report may have.
      "report of a day by player, beside the day before": page("reports", {
        merchant: directory.merchants.at(-1)?.code ?? code,
        ...days,
        from: days.to,
        by: "player",
      }),
      merchants: page("merchants"),
      "a merchant's settings": page("merchant", { code }),
      // The history has no changes of settings, but each sign-in is in the log.
      "audit log": page("audit", { reads: "1" }),
    };
  } finally {
    await database.close();
  }
}

async function measure(
  bench: Bench,
  origin: string,
  key: string,
  pages: Readonly<Record<string, string>>,
): Promise<Looked[]> {
  const browser = await launchChromium();
  try {
    const context = await signedIn(browser, origin, key);
    const looked: Looked[] = [];
    for (const [what, address] of Object.entries(pages)) {
      const times: number[] = [];
      let rows = 0;
      // The first look is not measured: it fills the caches of browser and database.
      for (let i = 0; i <= bench.options.runs; i++) {
        const seen = await look(context, `${origin}/console/?lang=en#/${address}`);
        if (i > 0) times.push(seen.ms);
        rows = seen.rows;
      }
      const ms = spread(times);
      bench.log(`${what}: ${spreadText(ms)} ms, ${rows} rows`);
      looked.push({ what, ms, rows });
    }
    return looked;
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, origin: string, key: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const session = await context.request.post(`${origin}/console/session`, { data: { key }, headers: { origin } });
  if (session.status() !== 200) throw new Error(`the console's sign-in answered ${session.status()}`);
  return context;
}

/** Opens a page in a tab of its own. */
async function look(context: BrowserContext, address: string): Promise<{ ms: number; rows: number }> {
  const page = await context.newPage();
  try {
    const began = performance.now();
    await page.goto(address);
    const failed = page.locator("main .failed, main .stale").first();
    // A function is asked in each frame. A locator is asked every 500 ms after a while, which is too coarse here.
    await page.waitForFunction(isShown, undefined, { timeout: SHOWN_WITHIN_MS });
    const ms = performance.now() - began;
    // The next look must not share the machine with calls of this page.
    await page.waitForLoadState("networkidle");
    if (await failed.isVisible()) throw new Error(`${address}: ${await failed.innerText()}`);
    return { ms, rows: await page.locator("main :is(table tbody tr, ol.timeline li):visible").count() };
  } finally {
    await page.close();
  }
}

/** Whether the page shows data or a failure, and waits for nothing more. It runs in the browser. */
function isShown(): boolean {
  const shown = document.querySelectorAll("main :is(table tbody tr, ol.timeline li, dl dt, .failed, .stale)");
  return document.querySelector("main .loading") === null && [...shown].some((element) => element.checkVisibility());
}

function section(bench: Bench, history: History, looked: readonly Looked[]): Section {
  const floor = looked.find(({ what }) => what === FLOOR_NAME)?.ms.median ?? Number.NaN;
  return {
    title: "The console with a year of transactions",
    method: `${history.transactions} transactions of ${history.directory.merchants.length} merchants on MariaDB with a buffer pool of ${BUFFER_POOL}. Each page in a tab of its own of a real browser, \
from the request for the page until its data is shown. Median (lowest-highest) of ${bench.options.runs} looks.`,
    tables: [
      {
        title: "Pages",
        columns: ["", "ms", "of the floor", "rows shown"],
        rows: looked.map(({ what, ms, rows }) => [what, spreadText(ms), figure(ms.median / floor), String(rows)]),
      },
    ],
    targets: looked.map(({ what, ms }) => ({ what, measured: ms, bound: { atMost: FIRST_DATA_MS }, unit: "ms" })),
    raw: looked,
  };
}
