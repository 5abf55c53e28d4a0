/** The effect of slow and silent wallets on the delivery of a healthy merchant's backlog, in virtual time. */

import test from "ava";
import { SystemRandom } from "../../../../src/adapters/system/system-random.ts";
import { WalletPermits } from "../../../../src/app/capacity/wallet-permits.ts";
import { Attempt } from "../../../../src/app/transaction/attempt.ts";
import { BatchedRows } from "../../../../src/app/transaction/batched-rows.ts";
import { ResendWorker } from "../../../../src/app/transaction/resend-worker.ts";
import { Transact } from "../../../../src/app/transaction/transact.ts";
import type { Content, WalletAnswer } from "../../../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode } from "../../../../src/domain/values/identifiers.ts";
import { wireTxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import { sleep } from "../../../../src/ports/clock.ts";
import { Wallet, type WalletReply, type WalletTarget } from "../../../../src/ports/wallet.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryTransactionStore } from "../../../../testbed/memory/transaction-store.ts";

const PROVIDER = "ACME" as ProviderCode;
const WALLET_TIMEOUT_MS = 8_000;
const POLICY = { walletTimeoutMs: WALLET_TIMEOUT_MS, quietPeriodMs: 60_000, horizonMs: 72 * 3_600_000 };
const HEALTHY = 1;

/** A number of merchants with the same kind of wallet and the same number of due credits. */
interface Kind {
  readonly merchants: number;
  /** The time of the wallet's answers; null: it never answers. */
  readonly answersInMs: number | null;
  readonly creditsEach: number;
}

/** Each merchant's wallet answers after its own time. */
class TimedWallet extends Wallet {
  /** The number of calls of each merchant. */
  readonly begun = new Map<number, number>();
  /** The number of accepted calls of each merchant. */
  readonly accepted = new Map<number, number>();
  underWay = 0;
  mostUnderWay = 0;
  readonly #clock: ManualClock;
  readonly #answersInMs: ReadonlyMap<number, number | null>;

  constructor(clock: ManualClock, answersInMs: ReadonlyMap<number, number | null>) {
    super();
    this.#clock = clock;
    this.#answersInMs = answersInMs;
  }

  override async send({ merchantId }: WalletTarget): Promise<WalletReply> {
    const ms = this.#answersInMs.get(merchantId) ?? null;
    count(this.begun, merchantId);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await sleep(this.#clock, ms ?? WALLET_TIMEOUT_MS);
    this.underWay -= 1;
    if (ms === null)
      return {
        answer: { kind: "silent" },
        result: "timeout",
        httpStatus: null,
        requestId: "r",
        durationMs: WALLET_TIMEOUT_MS,
      };
    count(this.accepted, merchantId);
    const answer: WalletAnswer = { kind: "accepted", balanceMinor: 1n };
    return { answer, result: "accepted", httpStatus: 200, requestId: "r", durationMs: ms };
  }

  override balance(): Promise<WalletReply> {
    throw new Error("no test queries a balance");
  }
}

const count = (of: Map<number, number>, id: number): void => void of.set(id, (of.get(id) ?? 0) + 1);

/** A worker with merchant 1, whose wallet answers in 10 ms and who has a long backlog, and with other merchants. */
async function withOthers(
  kinds: readonly Kind[],
  options: { readonly healthyFromMs?: number; readonly maxInFlight?: number } = {},
) {
  const clock = new ManualClock();
  const answersInMs = new Map<number, number | null>([[HEALTHY, 10]]);
  const random = new SystemRandom();
  const store = new MemoryTransactionStore(() => clock.now());
  const owe = (merchantId: number, credits: number) =>
    store.claim(
      Array.from({ length: credits }, (_, i) => ({
        content: win(merchantId, i),
        token: random.token(),
        as: "due" as const,
        leaseMs: wholeMs(0),
      })),
    );
  let merchants = HEALTHY;
  for (const kind of kinds) {
    for (let i = 0; i < kind.merchants; i++) {
      answersInMs.set(++merchants, kind.answersInMs);
      await owe(merchants, kind.creditsEach);
    }
  }
  const telemetry = new RecordedTelemetry();
  const wallet = new TimedWallet(clock, answersInMs);
  const rows = new BatchedRows(store, clock);
  const permits = new WalletPermits(clock, telemetry, 64);
  const walletTarget = (merchantId: number): WalletTarget => ({
    merchantId,
    merchantCode: `m${merchantId}`,
    walletUrl: "http://wallet",
    secret: "sk",
    nextSecret: null,
    traceContext: false,
  });
  const attempt = new Attempt(
    rows,
    wallet,
    permits,
    { walletTarget },
    clock,
    random,
    telemetry,
    POLICY,
    { changed: () => {} },
    () => {},
  );
  const transact = new Transact(rows, attempt, permits, clock, random, telemetry, POLICY);
  const ids = [...answersInMs.keys()];
  const worker = new ResendWorker(
    store,
    transact,
    permits,
    () => ids,
    clock,
    random,
    telemetry,
    options.maxInFlight ?? 4_000,
  );
  worker.start();
  await clock.pass(options.healthyFromMs ?? 0);
  await owe(HEALTHY, 2_500);
  return { clock, wallet, worker, ids, drained: () => wallet.accepted.get(HEALTHY) ?? 0 };
}

const win = (merchantId: number, i: number): Content => ({
  merchantId,
  txId: wireTxId(PROVIDER, `${merchantId}-${i}`),
  action: "win",
  playerId: "ana" as PlayerId,
  roundId: "r1",
  amountMinor: 250n,
  currency: "BRL",
  game: { id: 1, code: "fruits", providerId: 1, provider: PROVIDER },
  refTxId: null,
});

const SECONDS = 10;
const SILENT: Kind = { merchants: 400, answersInMs: null, creditsEach: 20 };
const SLOW: Kind = { merchants: 60, answersInMs: 7_000, creditsEach: 100 };

/** The number of the healthy merchant's credits that are accepted within SECONDS. */
async function pace(kinds: readonly Kind[], healthyFromMs = 0): Promise<number> {
  const { clock, worker, drained } = await withOthers(kinds, { healthyFromMs });
  await clock.pass(SECONDS * 1_000);
  await worker.stop();
  return drained();
}

const alone = pace([]);

for (const [others, kinds] of [
  ["20 slow wallets", [{ ...SLOW, merchants: 20 }]],
  ["400 silent wallets", [SILENT]],
  ["400 silent and 60 slow wallets", [SILENT, SLOW]],
  ["60 wallets that take 0.9 s for an answer", [{ ...SLOW, answersInMs: 900, creditsEach: 150 }]],
] as const) {
  for (const [since, healthyFromMs] of [
    ["when all begin together", 0],
    ["when the others began 20 s earlier", 20_000],
  ] as const) {
    test(`the resends of a merchant with a quick wallet keep at least four fifths of their rate beside ${others}, ${since}`, async (t) => {
      const [withOthers, withoutOthers] = [await pace(kinds, healthyFromMs), await alone];
      t.true(
        withoutOthers >= 155 * SECONDS && withoutOthers <= 160 * SECONDS,
        `alone: ${withoutOthers} in ${SECONDS} s`,
      );
      t.true(withOthers >= 0.8 * withoutOthers, `${withOthers} beside them, ${withoutOthers} alone`);
      t.log(`${withOthers} beside them, ${withoutOthers} alone`);
    });
  }
}

test("each of 1 000 merchants with silent wallets gets its turn, and together they never have more than 750 calls in progress", async (t) => {
  const { clock, wallet, worker, ids } = await withOthers([{ ...SILENT, merchants: 1_000, creditsEach: 3 }]);
  await clock.pass(60_000);
  await worker.stop();
  t.deepEqual(
    ids.filter((id) => !wallet.begun.has(id)),
    [],
  );
  t.true(wallet.mostUnderWay <= (4_000 * 3) / 16, `${wallet.mostUnderWay} at once`);
});

test("a replica with a limit of 100 concurrent transactions makes at most 18 resends at once, and still resends to a quick wallet", async (t) => {
  const { clock, wallet, worker, drained } = await withOthers([{ ...SILENT, merchants: 100, creditsEach: 3 }], {
    maxInFlight: 100,
  });
  await clock.pass(90_000);
  await worker.stop();
  t.true(wallet.mostUnderWay <= 18, `${wallet.mostUnderWay} at once`);
  t.true(drained() > 0);
});

test("a worker that stops begins no further resend, and its stop waits for no wallet", async (t) => {
  const { clock, wallet, worker } = await withOthers([SILENT, SLOW], { healthyFromMs: 5_000 });
  const begun = () => [...wallet.begun.values()].reduce((sum, calls) => sum + calls, 0);
  const stopped = worker.stop();
  const before = begun();
  await stopped;
  await clock.pass(20_000);
  t.is(begun(), before);
});
