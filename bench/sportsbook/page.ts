/** The embedded sportsbook in a real browser: the size of its first load, and the time until it is painted. */
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { startSandbox } from "../../testbed/stage/sandbox.ts";
import type { Bench, Section } from "../measurement.ts";
import { figure, spreadText } from "../report/report.ts";
import { type Spread, spread } from "../report/statistics.ts";
import { MerchantSite } from "./merchant-site.ts";
import { timePaints, type Weight, weigh } from "./page-load.ts";

const LOADS = 11;
const BRAND = "casa-luna";
const REQUESTS_MAX = 10;
const BYTES_MAX = 100_000;
/** The maximum ratio of the time to the largest paint to that of an iframe with one image. */
const PAINT_RATIO_MAX = 1.5;

type Times = Readonly<Record<"library" | "image", number[]>>;

export async function measurePage(bench: Bench): Promise<Pick<Section, "tables" | "targets" | "raw">> {
  const site = await MerchantSite.open();
  const sandbox = await startSandbox({ MERCHANT_ORIGIN: site.origin });
  const browser = await launchChromium();
  try {
    site.show(sandbox.sportsbook, BRAND);
    const weights: Weight[] = [];
    for (let i = 0; i < 3; i++) weights.push(await weigh(browser, `${site.origin}/library`, sandbox.sportsbook));
    const first: Times = { library: [], image: [] };
    const next: Times = { library: [], image: [] };
    // The first pair is not counted, because the programs are still warming up.
    for (let i = -1; i < LOADS; i++)
      for (const page of i % 2 === 0 ? (["library", "image"] as const) : (["image", "library"] as const)) {
        const paints = await timePaints(browser, `${site.origin}/${page}`);
        if (i < 0) continue;
        first[page].push(paints.first);
        next[page].push(paints.next);
      }
    const paints = { "first visit, empty cache": first, "next visit": next };
    for (const [visit, times] of Object.entries(paints))
      bench.log(`${visit}: largest paint ${figure(ratio(times).median)} times that of an image`);
    const requests = spread(weights.map((one) => one.requests));
    const bytes = spread(weights.map((one) => one.bytes));
    return {
      tables: [
        {
          title: "Largest contentful paint of the frame",
          columns: ["", "sportsbook, ms", "iframe with one image, ms", "ratio"],
          rows: Object.entries(paints).map(([visit, times]) => [
            visit,
            ...[spread(times.library), spread(times.image), ratio(times)].map(spreadText),
          ]),
        },
      ],
      targets: [
        { what: "requests of a visitor's first visit", measured: requests, bound: { atMost: REQUESTS_MAX }, unit: "" },
        { what: "their bytes over the wire", measured: bytes, bound: { atMost: BYTES_MAX }, unit: "B" },
        ...Object.entries(paints).map(([visit, times]) => ({
          what: `largest paint beside that of an image, ${visit}`,
          measured: ratio(times),
          bound: { atMost: PAINT_RATIO_MAX },
          unit: "times",
        })),
      ],
      raw: { weights, paints },
    };
  } finally {
    await browser.close();
    await sandbox.close();
    site.close();
  }
}

/** The ratio of the medians, with the lowest and the highest ratio of the pairs. */
function ratio({ library, image }: Times): Spread {
  return {
    ...spread(library.map((time, i) => time / (image[i] as number))),
    median: spread(library).median / spread(image).median,
  };
}
