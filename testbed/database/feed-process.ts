/**
 * A separate process that tests of the feed start. The role `sequencer` gives numbers to a merchant's changes like a
 * replica, but with a wrong clock. The role `writer` claims, settles, resends and abandons transactions. Each process
 * runs until the test kills it, at a random point.
 */

import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../src/adapters/sql/transactions/transaction-store.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { Sequencer } from "../../src/app/feed/sequencer.ts";
import type { Content, GameRef, State, Transaction } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import { StoreFault } from "../../src/ports/transactions/transaction-store.ts";
import { RecordedTelemetry } from "../in-process/recorded-telemetry.ts";

/** The order for a process: JSON in its first argument. */
export interface Job {
  readonly role: "sequencer" | "writer";
  readonly databaseUrl: string;
  readonly merchantId: number;
  readonly game: GameRef;
  /** The error of a sequencer's clock, in ms. */
  readonly skewMs: number;
}

/** The number of ids that the writers share, and how long an abandoned attempt holds an id. */
const IDS = 1_500;
const LEASE_MS = 150;
const AT_ONCE = 4;
/** This sequencer makes its rounds this many times as often as a replica. */
const HURRY = 25;

class WrongClock extends SystemClock {
  readonly #skewMs: number;

  constructor(skewMs: number) {
    super();
    this.#skewMs = skewMs;
  }

  override now(): number {
    return super.now() + this.#skewMs;
  }

  override after(ms: number, run: () => void): () => void {
    return super.after(ms / HURRY, run);
  }
}

const job = JSON.parse(process.argv[2] ?? "") as Job;
const database = openDatabase(job.databaseUrl, { max: AT_ONCE, decisiveMax: 1 });
const store = new SqlTransactionStore(database);
const random = new SystemRandom();
const below = (n: number): number => Math.floor(random.fraction() * n);

/** The end of an attempt. Each end differs from all other ends, so that a test never confuses two ends. */
function someEnd(): State {
  const kind = below(10);
  if (kind < 5) return { status: "success", balanceMinor: BigInt(below(1_000)) };
  return kind < 8 ? { status: "failed", error: `E${random.token().slice(0, 12)}` } : { status: "pending" };
}

async function settle(row: Transaction): Promise<void> {
  // The attempt is abandoned: no answer came, and the process that waited for it has stopped.
  if (below(8) === 0) return;
  if (below(4) === 0) await new Promise((resolve) => setTimeout(resolve, below(40)));
  const state = someEnd();
  const silent = state.status === "pending";
  const attempt = {
    n: row.attempts,
    at: wholeMs(row.readAt),
    durationMs: wholeMs(1),
    httpStatus: null,
    result: silent ? "timeout" : "accepted",
    requestId: null,
  } as const;
  const change = {
    state,
    resolvedBy: silent ? row.resolvedBy : row.attempts > 1 ? ("resend" as const) : null,
    silent,
    next: silent ? wholeMs(1_000) : null,
  };
  await store.settle([{ key: row, token: row.leaseToken, change, attempt }]);
}

/** One step for one id: claims the transaction, or continues from its present state. */
async function step(): Promise<void> {
  const n = below(IDS);
  const content: Content = {
    merchantId: job.merchantId,
    txId: `ACME:${n}` as TxId,
    action: n % 2 === 0 ? ("bet" as const) : ("win" as const),
    playerId: "ana" as PlayerId,
    roundId: `r${n % 50}`,
    amountMinor: 250n,
    currency: "BRL" as const,
    game: job.game,
    refTxId: null,
  };
  const [claimed] = await store.claim([{ content, token: random.token(), as: "leased", leaseMs: wholeMs(LEASE_MS) }]);
  if (claimed === undefined || claimed instanceof StoreFault) throw claimed;
  const { mine, row } = claimed;
  if (mine) return settle(row);
  if (row.status === "success" || (row.status === "failed" && row.action === "bet")) return;
  const [taken] = await store.takeOver([
    { key: content, seen: row, token: random.token(), leaseMs: wholeMs(LEASE_MS) },
  ]);
  if (taken instanceof StoreFault) throw taken;
  if (taken !== undefined) await settle(taken);
}

if (job.role === "sequencer") {
  new Sequencer(
    new SqlChangeStore(database),
    () => [job.merchantId],
    new WrongClock(job.skewMs),
    new RecordedTelemetry(),
  ).start();
} else {
  for (let i = 0; i < AT_ONCE; i++)
    void (async () => {
      for (;;) await step();
    })();
}
process.stdout.write("ready\n");
