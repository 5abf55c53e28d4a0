/** What the browser library adds to the time a merchant's page takes to load. */
import { merchantPage, Stage } from "../../test/web-renderer/stage.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure, spreadText } from "../report.ts";
import { spread } from "../statistics.ts";

export const renderer: Measurement = { name: "renderer", run };

const LOADS = 30;
/** The library may take so much longer than a bare iframe, as a share or in ms, whichever is more. */
const MORE = { share: 0.05, ms: 10 };

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.open();
  try {
    const bare = `<script>document.getElementById("target").innerHTML = '<iframe src="${stage.sportsbook}/?brand=luna" style="width: 100%; height: 100%; border: 0"></iframe>'</script>`;
    const library = '<script>new SBRenderer().initialize({ target: document.getElementById("target"), brand_id: "luna" })</script>';
    stage.shown.set("merchant /bare", { html: merchantPage(stage.sportsbook, "") + bare });
    stage.shown.set("merchant /library", { html: merchantPage(stage.sportsbook) + library });
    await load(stage, "/bare");
    const times = { bare: [] as number[], library: [] as number[] };
    for (let i = 0; i < LOADS; i++) {
      for (const page of i % 2 === 0 ? (["bare", "library"] as const) : (["library", "bare"] as const)) times[page].push(await load(stage, `/${page}`));
    }
    const floor = spread(times.bare);
    const measured = spread(times.library);
    const pairs = spread(times.library.map((time, i) => time - (times.bare[i] as number)));
    const added = { ...pairs, median: measured.median - floor.median };
    bench.say(`library ${figure(measured.median)} ms, bare iframe ${figure(floor.median)} ms`);
    return {
      title: "Browser library",
      method: `A merchant's page from its request to its load event, with the library's script, which mounts the sportsbook, and with a bare iframe of the same sportsbook. ${LOADS} loads of each, in turns, each in a browser \
profile of its own with an empty cache. Median (lowest-highest); what is added is the difference of the medians (of the pairs).`,
      tables: [{ title: "", columns: ["library, ms", "bare iframe, ms", "added, ms"], rows: [[spreadText(measured), spreadText(floor), spreadText(added)]] }],
      targets: [{ what: "what the library adds", measured: added, bound: { atMost: Math.max(MORE.ms, MORE.share * floor.median) }, unit: "ms" }],
      raw: times,
    };
  } finally {
    await stage.close();
  }
}

/** In ms, as the browser measured it: the load event waits for the iframe. */
async function load(stage: Stage, path: string): Promise<number> {
  const visit = await stage.visit(path);
  const time = await visit.page.evaluate(() => performance.getEntriesByType("navigation")[0]?.toJSON().loadEventStart as number);
  await visit.close();
  return time;
}
