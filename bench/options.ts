import { parseArgs } from "node:util";

export interface Options {
  /** Length of one measured window. */
  readonly seconds: number;
  /** How often each window is repeated, the programs taking turns. */
  readonly runs: number;
  /** Names of the measurements to make; empty: all. */
  readonly only: readonly string[];
  /** A folder that gets a CPU profile of each program (which slows them: for reading, not for figures). */
  readonly profile: string | undefined;
  /** A folder with a history that `npm run bench:seed` made; without, `growth` makes one and throws it away. */
  readonly datadir: string | undefined;
  /** How large that one is. */
  readonly transactions: number;
  /** How many credits `backlog` lets pile up. */
  readonly credits: number;
  /** How long `soak` lasts. */
  readonly minutes: number;
  /** How long `hostile` attacks, in seconds. */
  readonly attackSeconds: number;
  /** What its connections draw from. */
  readonly seed: number;
  /** The kinds of them whose name has this text; empty: all. */
  readonly kinds: string;
}

const USAGE =
  "npm run bench -- [--seconds 20] [--runs 5] [--only NAME]... [--profile FOLDER] [--datadir FOLDER | --transactions 10000000] [--credits 100000] [--minutes 60] [--attack-seconds 60] [--seed 1] [--kinds TEXT]";

/** @throws Error that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "20" },
      runs: { type: "string", default: "5" },
      only: { type: "string", multiple: true, default: [] },
      profile: { type: "string" },
      datadir: { type: "string" },
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
