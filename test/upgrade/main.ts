/**
 * `npm run upgrade-test [-- --from COMMIT] [--only MariaDB|Galera] [--seconds N] [--seed S] [--plant FAULT]`: upgrades
 * three replicas behind a balancer from the last release to this one, under load, and goes back in between. Ends with 1
 * if a call failed, or an effect was lost or doubled.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Balancer } from "../../testbed/programs/balancer.ts";
import { oneServer, threeNodes } from "./places.ts";
import { PLANTS } from "./plants.ts";
import { describeCommit, lastRelease, obtainRelease } from "./release.ts";
import { type Upgraded, upgrade } from "./rollout.ts";
import { startGames } from "./set-up.ts";

const REPLICAS = 3;
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    /** The release that is upgraded. */
    from: { type: "string", default: lastRelease() },
    only: { type: "string", default: "" },
    /** The time of play after each change. */
    seconds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    /** Gives this release a fault, which the command must report. */
    plant: { type: "string" },
  },
});
if (values.plant !== undefined && !Object.hasOwn(PLANTS, values.plant)) {
  console.error(`--plant must be one of ${Object.keys(PLANTS).join(", ")}`);
  process.exit(1);
}
const PLACES = [
  ["MariaDB", () => oneServer(REPLICAS)],
  ["Galera", threeNodes],
] as const;
const places = PLACES.filter(([name]) => name.includes(values.only));
if (places.length === 0) {
  console.error(`--only must be ${PLACES.map(([name]) => name).join(" or ")}`);
  process.exit(1);
}
// When this process ends, it also ends all children and removes all folders.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.setMaxListeners(0);
const release = obtainRelease(values.from);
console.log(`From ${describeCommit(values.from)}\nto   ${describeCommit("HEAD")}\n`);
const games = await startGames();
let failures = 0;
for (const [name, open] of places) {
  if (name === "Galera") execFileSync(process.execPath, ["tools/system-packages.mjs", "cluster"], { stdio: "inherit" });
  const balancer = await Balancer.of("haproxy");
  if (balancer === undefined) throw new Error("HAProxy is missing: install it, with the program on the PATH");
  const place = await open();
  try {
    const plant = PLANTS[values.plant ?? ""] ?? {};
    const options = { games, seed: Number(values.seed), playMs: 1_000 * Number(values.seconds), plant };
    const upgraded = await upgrade(place, balancer, release, options);
    failures += print(place.name, upgraded);
  } finally {
    await place.stop();
  }
}
games.close();
process.exit(failures > 0 ? 1 : 0);

/** Returns the number of failed calls and of other faults. */
function print(place: string, { phases, migrated, wrong }: Upgraded): number {
  let failed = 0;
  const lines = phases.map((phase) => {
    const count = [...phase.failed.values()].reduce((sum, one) => sum + one, 0);
    failed += count;
    const reasons = count === 0 ? "" : ` (${[...phase.failed].map(([reason, n]) => `${n} ${reason}`).join(", ")})`;
    return `| ${phase.title} | ${phase.calls} | ${count}${reasons} | ${(phase.longestMs / 1_000).toFixed(2)} s |`;
  });
  console.log(
    [
      `${place}. ${migrated}`,
      "",
      "| phase | calls | failed | the slowest |",
      "|---|---:|---:|---:|",
      ...lines,
      "",
      `${failed} failed calls, ${wrong.length} other faults`,
      ...wrong.slice(0, SHOWN_MAX).map((one) => `- ${one}`),
      "",
    ].join("\n"),
  );
  return failed + wrong.length;
}
