import { parseArgs } from "node:util";

export interface Options {
  /** Length of one measured window. */
  readonly seconds: number;
  /** The number of runs of each window. The programs take turns. */
  readonly runs: number;
  /** The measurements to run; empty: all. */
  readonly only: readonly string[];
  /** A folder for a CPU profile of each program. Profiling slows the programs, so their figures are not comparable. */
  readonly profile: string | undefined;
  /**
   * A folder with a history from `npm run bench:seed`. Without it, `growth` writes a history and removes it afterwards.
   */
  readonly datadir: string | undefined;
  /** The number of transactions of that history. */
  readonly transactions: number;
  /** Another checkout of the project, for `versions`. */
  readonly beside: string | undefined;
  /** The number of pending credits in `backlog`. */
  readonly credits: number;
  /** The duration of `soak`. */
  readonly minutes: number;
  /** The duration of the attack in `hostile`, in seconds. */
  readonly attackSeconds: number;
  /** The seed of the hostile connections' random choices. */
  readonly seed: number;
  /** Only hostile kinds whose name has this text; empty: all kinds. */
  readonly kinds: string;
}

const USAGE =
  "npm run bench -- [--seconds 20] [--runs 5] [--only NAME]... [--profile FOLDER] [--datadir FOLDER | --transactions 10000000] [--beside FOLDER] [--credits 100000] [--minutes 60] [--attack-seconds 60] [--seed 1] [--kinds TEXT]";

/** @throws Error with the fault. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "20" },
      runs: { type: "string", default: "5" },
      only: { type: "string", multiple: true, default: [] },
      profile: { type: "string" },
      datadir: { type: "string" },
      beside: { type: "string" },
      transactions: { type: "string", default: "10000000" },
      credits: { type: "string", default: "100000" },
      minutes: { type: "string", default: "60" },
      "attack-seconds": { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      kinds: { type: "string", default: "" },
    },
  });
  return {
    seconds: atLeastOne("--seconds", values.seconds),
    runs: atLeastOne("--runs", values.runs),
    only: values.only,
    profile: values.profile,
    datadir: values.datadir,
    beside: values.beside,
    transactions: atLeastOne("--transactions", values.transactions),
    credits: atLeastOne("--credits", values.credits),
    minutes: atLeastOne("--minutes", values.minutes),
    attackSeconds: atLeastOne("--attack-seconds", values["attack-seconds"]),
    seed: atLeastOne("--seed", values.seed),
    kinds: values.kinds,
  };
}

function atLeastOne(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${flag} takes a whole number from 1 on: ${USAGE}`);
  return value;
}
