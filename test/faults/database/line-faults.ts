/** Faults between the service and its database. */

import { DIED } from "../../../src/adapters/sql/transactions/attempt-log.ts";
import type { Cut, Line } from "../../../testbed/database/cutting-proxy.ts";
import type { Stage } from "./stage.ts";
import type { Fault } from "./strike.ts";

/** Texts that identify kinds of statements: the beginning of a statement, or a text that only this kind contains. */
export const TEXT = {
  claim: "INSERT INTO tx ",
  settle: "UPDATE tx FORCE INDEX (tx_key)",
  /** Take-overs, marks and settles of reversals join the table with a list of values. */
  "take-over": "STRAIGHT_JOIN tx o FORCE INDEX (tx_key) ON o.merchant_id = n.merchant_id AND o.tx_id = n.tx_id SET",
  commit: "COMMIT;",
} as const;

/** The share of statements that fail, including repeats: about one in three. */
const SHARE = 0.3;
const LOST_MAX = 200;
/** Each such connection costs the service one statement time-out. */
const SILENCED_MAX = 6;
const RESET_EVERY_MS = 50;
const MET_WITHIN_MS = 30_000;

interface Losses {
  /** Milliseconds since the first fault. */
  readonly lasts?: number;
  /** The largest number of faults. */
  readonly count?: number;
}

export const lost = (
  what: keyof typeof TEXT,
  cut: Required<Pick<Cut, "loses" | "how">>,
  { lasts = 2_000, count }: Losses = {},
): Fault => {
  const most = count ?? (cut.how === "silence" ? SILENCED_MAX : LOST_MAX);
  let before = 0;
  let since = 0;
  return {
    kind: `${cut.loses === "reply" ? `${what} carried out, its acknowledgement` : `${what} never arrived: it`} lost by ${cut.how}`,
    lasts,
    strike: async ({ proxy }) => {
      before = proxy.lost;
      since = Date.now();
      proxy.cut(TEXT[what], most, { ...cut, share: most === 1 ? 1 : SHARE });
      for (const until = performance.now() + MET_WITHIN_MS; proxy.lost === before && performance.now() < until; )
        await new Promise((resolve) => setTimeout(resolve, 10));
    },
    heal: async ({ proxy }) => {
      proxy.cut("", 0);
      return proxy.lost - before;
    },
    wrong: async (stage, fired) => {
      if (what !== "claim" || cut.how === "silence") return [];
      // A process that does not recognise its own row leaves the row until its lease ends. Then the log has an attempt
      // that no process made.
      const [left] = await stage.ask(
        `SELECT COUNT(*) AS n FROM tx WHERE created_at >= ${since} AND attempt_log LIKE '%${DIED}%'`,
      );
      return Number(left?.n) * 2 > fired ? [`${left?.n} rows of ${fired} lost claims were left to their leases`] : [];
    },
  };
};

const bad = (kind: string, line: Line, lasts: Fault["lasts"]): Fault => ({
  kind,
  lasts,
  strike: async ({ proxy }) => proxy.line(line),
  heal: async ({ proxy }) => {
    proxy.line({});
    return 1;
  },
});

const resets = (): Fault => {
  let count = 0;
  let timer: NodeJS.Timeout;
  return {
    kind: "every connection reset, again and again",
    lasts: 2_000,
    strike: async ({ proxy }: Stage) => {
      timer = setInterval(() => {
        count += proxy.reset();
      }, RESET_EVERY_MS);
    },
    heal: async () => {
      clearInterval(timer);
      return count;
    },
  };
};

const CUTS = [
  ["claim", { loses: "reply", how: "close" }],
  ["claim", { loses: "reply", how: "reset" }],
  ["claim", { loses: "reply", how: "silence" }],
  ["claim", { loses: "request", how: "close" }],
  ["settle", { loses: "reply", how: "close" }],
  ["settle", { loses: "reply", how: "reset" }],
  ["settle", { loses: "reply", how: "silence" }],
  ["settle", { loses: "request", how: "close" }],
  ["take-over", { loses: "reply", how: "close" }],
  ["commit", { loses: "reply", how: "close" }],
  ["commit", { loses: "reply", how: "silence" }],
  ["commit", { loses: "request", how: "close" }],
] as const;

export const lineFaults = (): readonly Fault[] => [
  ...CUTS.map(([what, cut]) => lost(what, cut)),
  resets(),
  bad("every chunk 150 ms late", { latencyMs: 150 }, 3_000),
  bad("40 kB/s each way", { bytesPerSecond: 40_000 }, 3_000),
  bad("each connection reset after 4 kB", { resetAfterBytes: 4_000 }, 2_000),
  bad("all bytes swallowed for 1 s", { silent: true }, 1_000),
  bad("all bytes swallowed", { silent: true }, "until not ready"),
];
