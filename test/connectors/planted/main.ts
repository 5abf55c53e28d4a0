/** `npm run connector-bugs -- <api>`: runs the tests of a connector with each planted bug. They must fail each time. */
import { spawnSync } from "node:child_process";
import { PLANTED } from "./bugs.ts";

const names = process.argv.slice(2);
let escaped = 0;
for (const [api, bugs] of Object.entries(PLANTED)) {
  if (names.length > 0 && !names.includes(api)) continue;
  for (const bug of bugs) {
    const plant = new URL("plant.mjs", import.meta.url).pathname;
    const { status, stdout, stderr } = spawnSync("ava", [`test/connectors/${api}.test.ts`, "--fail-fast"], {
      env: { ...process.env, PLANTED: JSON.stringify(bug), NODE_OPTIONS: `--import=${plant}` },
      encoding: "utf8",
    });
    const isPlanted = !`${stdout}${stderr}`.includes("has no ");
    const isCaught = status !== 0 && isPlanted;
    if (!isCaught) escaped += 1;
    console.log(`${isCaught ? "caught " : isPlanted ? "ESCAPED" : "NOT PLANTED"}  ${api}: ${bug.name}`);
  }
}
process.exit(escaped === 0 ? 0 : 1);
