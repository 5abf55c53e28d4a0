/** `npm run connector-bugs -- <api>`: runs the tests of a connector with each planted bug. They must fail each time. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { PLANTED, type PlantedBug, TESTS } from "./bugs.ts";

const AT_ONCE = 2;
const PLANT = new URL("plant.mjs", import.meta.url).pathname;

const names = process.argv.slice(2);
const unknown = names.filter((name) => PLANTED[name] === undefined);
if (unknown.length > 0) {
  console.error(`npm run connector-bugs -- ${Object.keys(PLANTED).join(" | ")}`);
  process.exit(2);
}
const bugs = Object.entries(PLANTED)
  .filter(([api]) => names.length === 0 || names.includes(api))
  .flatMap(([api, of]) => of.map((bug) => ({ api, bug })));
const counts = { caught: 0, ESCAPED: 0, "NOT PLANTED": 0 };

async function run(api: string, bug: PlantedBug): Promise<void> {
  const { files, title } = TESTS[api] ?? { files: [api] };
  const args = [...files.map((file) => `test/connectors/${file}.test.ts`), "--fail-fast"];
  const ava = spawn("ava", [...args, ...(title === undefined ? [] : ["--match", `*${title}*`])], {
    env: { ...process.env, PLANTED: JSON.stringify(bug), NODE_OPTIONS: `--import=${PLANT}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => ava.once("close", resolve));
  const [code, ...output] = await Promise.all([ended, text(ava.stdout), text(ava.stderr)]);
  const result = output.join("").includes(`${bug.file} has no `) ? "NOT PLANTED" : code === 0 ? "ESCAPED" : "caught";
  counts[result] += 1;
  console.log(`${result.padEnd(13)}${api}: ${bug.name}`);
}

await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = bugs.shift(); next !== undefined; next = bugs.shift()) await run(next.api, next.bug);
  }),
);
console.log(JSON.stringify(counts));
process.exit(counts.ESCAPED + counts["NOT PLANTED"] === 0 ? 0 : 1);
