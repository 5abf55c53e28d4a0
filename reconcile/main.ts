/** `npm run reconcile`: compares a merchant's ledger with the service's transactions. */
import { ApiFault } from "./api.ts";
import { readArguments, USAGE, UsageFault } from "./arguments.ts";
import { LedgerFault } from "./ledger-file.ts";
import { reconcile } from "./reconcile.ts";
import { renderJson, renderTable } from "./render.ts";

const EQUAL = 0;
const DIFFERENT = 1;
const NOT_COMPARED = 2;

async function run(words: readonly string[]): Promise<number> {
  const given = readArguments(words, process.env);
  const write = (text: string): void => void process.stdout.write(text);
  if (given === "help") {
    write(USAGE);
    return EQUAL;
  }
  using reconciliation = await reconcile(given.credentials, given.file, given.range);
  const differences = (given.json ? renderJson : renderTable)(reconciliation, given.range, write);
  return differences === 0 ? EQUAL : DIFFERENT;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (cause) {
  const isKnown = cause instanceof UsageFault || cause instanceof LedgerFault || cause instanceof ApiFault;
  if (isKnown)
    process.stderr.write(
      `${cause.message}\n${cause instanceof UsageFault ? "\nHelp: npm run reconcile -- --help\n" : ""}`,
    );
  else console.error(cause);
  // Node would exit with 1, which means that there are differences.
  process.exitCode = NOT_COMPARED;
}
