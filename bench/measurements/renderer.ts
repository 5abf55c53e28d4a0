/** The time that the browser library adds to the loading of a merchant's page. */
import type { Page } from "playwright-core";
import { merchantPage, Stage } from "../../testbed/browser/library-stage.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import { measurePage } from "../sportsbook/page.ts";
import { measurePlayers } from "../sportsbook/players.ts";

export const renderer: Measurement = { name: "renderer", run };

const LOADS = 30;
/** The library may take this much longer than a plain iframe: a share or a time in ms, whichever is more. */
const MORE = { share: 0.05, ms: 10 };

const METHOD = `A merchant's page from its request to its load event, which waits for the iframe: with the library's \
script, which mounts a sportsbook, and with a bare iframe of the same sportsbook. ${LOADS} loads of each, in turns, in \
one tab. Then the sandbox's sportsbook, for a visitor: requests and bytes as the browser counts them, and the largest \
paint beside that of a bare iframe with one image (a screenshot of the page), in turns. Last the sandbox's process with \
players who read the board's stream, counted at their sockets. Median (lowest-highest); what is added is the difference \
of the medians (of the pairs), and so are ratios.`;

type Times = Readonly<Record<"bare" | "library", number[]>>;

async function run(bench: Bench): Promise<Section> {
  const library = await measureLibrary(bench);
  const page = await measurePage(bench);
  const players = await measurePlayers(bench);
  return {
    title: "Browser library and sportsbook",
    method: METHOD,
    tables: [...library.tables, ...page.tables, ...players.tables],
    targets: [...library.targets, ...page.targets, ...players.targets],
    violations: players.violations ?? [],
    raw: { library: library.raw, page: page.raw, players: players.raw },
  };
}

async function measureLibrary(bench: Bench): Promise<Pick<Section, "tables" | "targets" | "raw">> {
  const stage = await Stage.open();
  try {
    const bare = `<script>document.getElementById("target").innerHTML = '<iframe src="${stage.sportsbook}/?brand=luna" style="width: 100%; height: 100%; border: 0"></iframe>'</script>`;
    const library =
      '<script>new SBRenderer().initialize({ target: document.getElementById("target"), brand_id: "luna" })</script>';
    stage.shown.set("merchant /bare", { html: merchantPage(stage.sportsbook, "") + bare });
    stage.shown.set("merchant /library", { html: merchantPage(stage.sportsbook) + library });
    const first = await measure(stage, false);
    const next = await measure(stage, true);
    const visits = { "first visit, empty cache": first, "next visit": next };
    for (const [visit, times] of Object.entries(visits))
      bench.log(
        `${visit}: library ${figure(spread(times.library).median)} ms, bare iframe ${figure(spread(times.bare).median)} ms`,
      );
    return {
      tables: [
        {
          title: "A merchant's page until its load event",
          columns: ["", "library, ms", "bare iframe, ms", "added, ms"],
          rows: Object.entries(visits).map(([visit, times]) => [
            visit,
            ...[spread(times.library), spread(times.bare), added(times)].map(spreadText),
          ]),
        },
      ],
      targets: Object.entries(visits).map(([visit, times]) => ({
        what: `what the library adds, ${visit}`,
        measured: added(times),
        bound: { atMost: Math.max(MORE.ms, MORE.share * spread(times.bare).median) },
        unit: "ms",
      })),
      raw: visits,
    };
  } finally {
    await stage.close();
  }
}

function added({ library, bare }: Times): Spread {
  return {
    ...spread(library.map((time, i) => time - (bare[i] as number))),
    median: spread(library).median - spread(bare).median,
  };
}

async function measure(stage: Stage, cached: boolean): Promise<Times> {
  const visit = await stage.visit("/bare");
  const cdp = await visit.page.context().newCDPSession(visit.page);
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: !cached });
  const times: Times = { bare: [], library: [] };
  for (const page of ["bare", "library"] as const) await load(visit.page, `${stage.merchant}/${page}`);
  for (let i = 0; i < LOADS; i++) {
    for (const page of i % 2 === 0 ? (["bare", "library"] as const) : (["library", "bare"] as const))
      times[page].push(await load(visit.page, `${stage.merchant}/${page}`));
  }
  await visit.close();
  return times;
}

/** The duration of the load in ms, as the browser measured it. */
async function load(page: Page, address: string): Promise<number> {
  await page.goto(address);
  return page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON().loadEventStart as number);
}
