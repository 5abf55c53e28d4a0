/**
 * `npm run bench`: runs the measurements. A measurement also measures its floors in the same run: simpler programs with
 * which the service is compared. Prints a Markdown report and writes every single figure to .cache/bench/. No other
 * work should run on the machine.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectors } from "./connectors/connectors.ts";
import type { Bench, Measurement } from "./measurement.ts";
import { administration } from "./measurements/administration.ts";
import { backlog } from "./measurements/backlog.ts";
import { clusters } from "./measurements/clusters.ts";
import { engines, merchants, plays, roundEnds, traces, versions } from "./measurements/comparisons.ts";
import { consolePages } from "./measurements/console.ts";
import { flood } from "./measurements/flood.ts";
import { growth } from "./measurements/growth.ts";
import { hostile } from "./measurements/hostile.ts";
import { isolation } from "./measurements/isolation.ts";
import { latency } from "./measurements/latency.ts";
import { overload } from "./measurements/overload.ts";
import { renderer } from "./measurements/renderer.ts";
import { rest } from "./measurements/rest.ts";
import { soak } from "./measurements/soak.ts";
import { speed } from "./measurements/speed.ts";
import { start } from "./measurements/start.ts";
import { type Options, readOptions } from "./options.ts";
import { machine, sectionText } from "./report/report.ts";

/** The order matters: `latency`, `isolation` and `flood` use the capacity that `speed-mariadb` measured. */
const MEASUREMENTS: readonly Measurement[] = [
  speed("mariadb"),
  latency,
  isolation,
  overload,
  start,
  administration,
  rest,
  flood,
  hostile,
  renderer,
  speed("sqlite"),
  growth,
  consolePages,
  connectors,
];

/**
 * These run only when --only names them. `backlog` takes a quarter of an hour, `soak` an hour. `clusters` needs root and
 * the packages of `npm run faults -- cluster`.
 */
const BY_NAME_ONLY: readonly Measurement[] = [
  backlog,
  clusters,
  engines,
  merchants,
  plays,
  roundEnds,
  soak,
  traces,
  versions,
];

function chosen({ only }: Options): readonly Measurement[] {
  const all = [...MEASUREMENTS, ...BY_NAME_ONLY];
  const names = all.map((measurement) => measurement.name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only takes ${names.join(", ")}`);
  return only.length === 0 ? MEASUREMENTS : all.filter((measurement) => only.includes(measurement.name));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const measurements = chosen(options);
  // Each process of a measurement has a listener that ends it when the bench exits. There can be more than ten.
  process.setMaxListeners(0);
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const results: Record<string, unknown> = { machine: machine(), options };
  const bench: Bench = {
    options,
    folder,
    log: (text) => console.error(`  ${text}`),
    capacity: undefined,
    pinnedCapacity: undefined,
  };
  try {
    console.log(`# Bench\n\n${machine()}\n`);
    for (const measurement of measurements) {
      console.error(`${measurement.name} ...`);
      const section = await measurement.run(bench);
      results[measurement.name] = section;
      console.log(sectionText(section));
      if ((section.violations ?? []).length > 0) process.exitCode = 1;
    }
    console.error(`Every figure: ${write(results)}`);
  } finally {
    remove();
  }
}

function write(results: object): string {
  const folder = join(import.meta.dirname, "../.cache/bench");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(":", "-")}.json`);
  writeFileSync(file, JSON.stringify(results, null, 1));
  return file;
}

// Exiting ends the child processes and removes the folder.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
