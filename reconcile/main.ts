/** `npm run reconcile`: a merchant's ledger beside the service's transactions. */
import { ApiFault } from "./api.ts";
import { readArguments, USAGE, UsageFault } from "./arguments.ts";
import { LedgerFault } from "./ledger-file.ts";
import { reconcile } from "./reconcile.ts";
import { renderJson, renderTable } from "./render.ts";

const EQUAL = 0;
const DIFFERENT = 1;
const NOT_COMPARED = 2;

async function run(words: readonly string[]): Promise<number> {
  const asked = readArguments(words, process.env);
  const write = (text: string): void => void process.stdout.write(text);
  if (asked === "help") {
    write(USAGE);
    return EQUAL;
  }
  using reconciliation = await reconcile(asked.credentials, asked.file, asked.range);
  const differences = (asked.json ? renderJson : renderTable)(reconciliation, asked.range, write);
  return differences === 0 ? EQUAL : DIFFERENT;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (cause) {
  const isKnown = cause instanceof UsageFault || cause instanceof LedgerFault || cause instanceof ApiFault;
  if (isKnown) process.stderr.write(`${cause.message}\n${cause instanceof UsageFault ? "\nHelp: npm run reconcile -- --help\n" : ""}`);
  else console.error(cause);
  // Not Node's own 1: that would say that there are differences.
  process.exitCode = NOT_COMPARED;
}
