/** `npm run connector-chaos -- <api> --rounds N --seed S`: the chaos judge, as large as wanted. */
import { parseArgs } from "node:util";
import { playChaos } from "./chaos.ts";
import { PROVIDERS } from "./scripts.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const [api = ""] = positionals;
const start = PROVIDERS[api];
const rounds = Number(values.rounds);
if (start === undefined || !(rounds > 0)) {
  console.error(`npm run connector-chaos -- <${Object.keys(PROVIDERS).join(" | ")}> --rounds 1000 --seed 1`);
  process.exit(2);
}
const ends: (() => void | Promise<void>)[] = [];
const provider = await start({ teardown: (end) => void ends.unshift(end) });
const { violations, ...counts } = await playChaos(provider, { rounds, seed: Number(values.seed), killEvery: 100 });
console.log(`${api}: ${rounds} rounds, ${JSON.stringify(counts)}, ${violations.length} violations`);
for (const violation of violations) console.log(violation);
for (const end of ends) await end();
process.exit(violations.length === 0 ? 0 : 1);
