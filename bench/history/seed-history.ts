/**
 * `npm run bench:seed`: writes a history of transactions into a MariaDB folder and keeps it, for `npm run bench --
 * --only growth --datadir FOLDER`.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeHistory } from "./kept-history.ts";

const USAGE = "npm run bench:seed -- --datadir FOLDER [--transactions 10000000] [--merchants 200] [--seed 1]";
const MERCHANTS_MIN = 8;

function options(): { folder: string; transactions: number; merchants: number; seed: number } {
  const { values } = parseArgs({
    options: {
      datadir: { type: "string" },
      transactions: { type: "string", default: "10000000" },
      merchants: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
    },
  });
  const { datadir } = values;
  if (datadir === undefined) throw new Error(`--datadir names the folder that keeps the history: ${USAGE}`);
  const wholeNumber = (flag: "transactions" | "merchants" | "seed", min: number): number => {
    const value = Number(values[flag]);
    if (!Number.isInteger(value) || value < min)
      throw new Error(`--${flag} takes a whole number from ${min} on: ${USAGE}`);
    return value;
  };
  return {
    folder: resolve(datadir),
    transactions: wholeNumber("transactions", 1_000),
    merchants: wholeNumber("merchants", MERCHANTS_MIN),
    seed: wholeNumber("seed", 0),
  };
}

try {
  const { folder, ...size } = options();
  const beganAt = performance.now();
  const history = await makeHistory(folder, size, (text) => console.error(`  ${text}`));
  console.log(
    `${history.transactions} transactions in ${folder}, after ${Math.round((performance.now() - beganAt) / 1_000)} s`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
