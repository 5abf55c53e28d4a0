/**
 * A few requests of providers that cross, each on a process of its own: the service's own classes with the memory store
 * and the reference ledger. Every order of their calls, and every answer of the wallet, is a choice.
 */
import { setImmediate } from "node:timers/promises";
import { Ledger, type Reply } from "../../../sandbox/merchant/ledger.ts";
import { transactionBody } from "../../../src/adapters/wallet-http/callback.ts";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { WalletPermits } from "../../../src/app/capacity/wallet-permits.ts";
import { Attempt } from "../../../src/app/transaction/attempt.ts";
import { BatchedRows } from "../../../src/app/transaction/batched-rows.ts";
import type { PlayerContext, PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import { type ReverseReply, ReverseTransaction } from "../../../src/app/transaction/reverse-transaction.ts";
import { Transact } from "../../../src/app/transaction/transact.ts";
import { ok, type Result } from "../../../src/domain/errors.ts";
import type {
  Answer,
  Content,
  Transaction,
  TransactionRequest,
  WinOfPlay,
} from "../../../src/domain/transaction/transaction.ts";
import { keyText, ownTxId, type PlayerId, wireTxId } from "../../../src/domain/values/identifiers.ts";
import { Random } from "../../../src/ports/random.ts";
import type { TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import { Wallet, type WalletReply, type WalletTarget } from "../../../src/ports/wallet.ts";
import { notHere } from "../../../testbed/in-process/only.ts";
import type { Operation, Outcome, ProcessFault, RunRecord, WalletCall } from "../../../testbed/judge/record.ts";
import { MemoryTransactionStore } from "../../../testbed/memory/transaction-store.ts";
import { RecordedRows } from "../service/recorded-rows.ts";
import { CountingTelemetry, GAMES, MERCHANTS, PLAYERS, PROVIDER } from "../world/world-fixture.ts";
import { type Choice, StandingClock, Turns } from "./turns.ts";

/**
 * `lost`: the wallet never gets the call. `silent`: it applies the call, and its answer is lost. `late`: it gets the
 * call after the caller has given up, at any later moment.
 */
export type WalletChoice = "ok" | "rejects" | "lost" | "silent" | "late";

export type Asked =
  | { readonly as: "move"; readonly content: TransactionRequest }
  | { readonly as: "reverse"; readonly content: TransactionRequest }
  | { readonly as: "play"; readonly content: TransactionRequest & { readonly win: WinOfPlay } };

export interface Scope {
  readonly name: string;
  /** Each request is sent by its own process at the beginning. */
  readonly requests: readonly Asked[];
  /** The transactions that have been a success before. */
  readonly before: readonly TransactionRequest[];
  /** What the wallet may do with a first call. Later calls are answered by the ledger. */
  readonly wallet: readonly WalletChoice[];
  /** One process dies, at any of its calls, or none does. */
  readonly death?: true;
}

const BEGINNING = 1_767_225_600_000;
const POLICY = { walletTimeoutMs: 2_000, quietPeriodMs: 60_000, horizonMs: 72 * 3_600_000 };
const TIMEOUT_MS = 30_000;
const [MERCHANT] = MERCHANTS;
const [PLAYER] = PLAYERS;
const OPENING_MINOR = 10_000n;
const LATER_MS = 120_000;
/** All requests are repeated at most this often. A bet is pending while its refund is. */
const REPEATS = 4;

const GAME = { id: GAMES[0].id, code: GAMES[0].code, providerId: PROVIDER.id, provider: PROVIDER.code };
const id = (own: string) => wireTxId(PROVIDER.code, own);

const content = (action: Content["action"], own: string, amountMinor: bigint, ref: string | null = null): Content => ({
  merchantId: MERCHANT.id,
  txId: id(own),
  action,
  playerId: PLAYER as PlayerId,
  roundId: "round 1",
  amountMinor,
  currency: MERCHANT.currency,
  game: GAME,
  refTxId: ref === null ? null : id(ref),
});

/** The requests of the scopes. All are about the bet `b`. */
export const BET = content("bet", "b", 250n);
export const winOf = (own: string, settles: boolean): WinOfPlay => ({
  ...content("win", own, 700n),
  bet: { txId: BET.txId, settles },
});
export const refund = (own: string, unlessSettled: boolean): TransactionRequest => ({
  ...content("refund", own, 250n, "b"),
  ...(unlessSettled && { unlessSettled }),
});
export const rollback = (own: string, of: string): TransactionRequest => content("rollback", own, 700n, of);

class CountingRandom extends Random {
  #count = 0;
  readonly #process: number;
  constructor(process: number) {
    super();
    this.#process = process;
  }
  override token(): string {
    return `${this.#process}.${this.#count++}`.padStart(32, "0");
  }
  override uuid = notHere;
  override fraction(): number {
    return 0;
  }
}

/** One run of a scope, from its beginning along a path of choices. */
export class ScopeRun {
  readonly turns = new Turns();
  readonly operations: Operation[] = [];
  readonly #scope: Scope;
  readonly #clock = new StandingClock(BEGINNING);
  /** The steps of a run have different times, although its clocks stand still. */
  readonly #steps = { now: BEGINNING };
  readonly #rows = new RecordedRows(this.#steps as never);
  readonly #memory = new MemoryTransactionStore(() => this.#clock.time, this.#rows);
  readonly #ledger = new Ledger({ tombstones: false });
  readonly #telemetry = new CountingTelemetry();
  readonly #calls: WalletCall[] = [];
  readonly #kept = new Map<string, Reply>();
  readonly #late: (() => void)[] = [];
  /** The order of everything that the judge looks at: states and marks of rows, calls, and answers. */
  readonly #trace: string[] = [];
  #traced = 0;
  readonly #open = new Map<number, Operation>();
  readonly #deaths: ProcessFault[] = [];
  #processes = 0;
  #honest = false;

  private constructor(scope: Scope) {
    this.#scope = scope;
    this.#ledger.addMerchant(MERCHANT.code, MERCHANT.currency);
    this.#ledger.addPlayer(MERCHANT.code, PLAYER, OPENING_MINOR);
  }

  static async begin(scope: Scope): Promise<ScopeRun> {
    const run = new ScopeRun(scope);
    run.#honest = true;
    for (const request of scope.before) await run.#alone({ as: "move", content: request });
    run.#honest = false;
    for (const asked of scope.requests) void run.#ask(asked);
    await setImmediate();
    return run;
  }

  /** What may happen next. Each choice of a process may also be its last. */
  choices(): readonly Choice[] {
    const choices = this.turns.choices();
    if (this.#scope.death !== true || this.#honest || this.#deaths.length > 0) return choices;
    const last = choices.map((choice) => ({ ...choice, outcome: `${choice.outcome} dies`.trim() }));
    return [...choices, ...last.filter(({ process }) => process !== NETWORK)];
  }

  async choose(index: number): Promise<void> {
    const all = this.turns.choices();
    this.#step();
    if (index < all.length) await this.turns.choose(index);
    else {
      const same = all.flatMap((one, i) => (one.process === NETWORK ? [] : [i]));
      this.#die(await this.turns.die(same[index - all.length] as number));
    }
    const { writes } = this.#rows;
    for (const { key, before, after } of writes.slice(this.#traced))
      if (visible(before) !== visible(after)) this.#trace.push(`${key} ${visible(after)}`);
    this.#traced = writes.length;
  }

  /** Goes on without another call: the next timer fires. `false`: every request has its answer. */
  async wait(): Promise<boolean> {
    if (this.#open.size === 0) return false;
    if (!(await this.#clock.fire())) throw new Error("a request waits for nothing");
    return true;
  }

  digest(): string {
    const effects = this.#ledger.effects.map(({ txId }) => txId);
    return this.turns.digest([[...this.#rows.values()], effects, this.#trace, this.#clock.time]);
  }

  /** Lets late calls arrive, and repeats every request until its answer is final. Then the wallet is honest. */
  async end(): Promise<RunRecord> {
    this.#honest = true;
    for (const arrive of this.#late.splice(0)) {
      this.#step();
      arrive();
    }
    this.#clock.time += LATER_MS;
    for (let i = 0, isOver = false; i < REPEATS && !isOver; i++) {
      isOver = true;
      for (const asked of this.#scope.requests) {
        const { outcome } = await this.#alone(asked);
        if (outcome.kind === "ok" && outcome.status === "pending") isOver = false;
      }
      this.#clock.time += LATER_MS;
    }
    this.#step();
    return {
      healed: false,
      endedAt: this.#steps.now,
      operations: this.operations,
      calls: this.#calls,
      effects: this.#ledger.effects,
      merchantIds: new Map([[MERCHANT.code, MERCHANT.id]]),
      forgotten: new Set(),
      writes: this.#rows.writes,
      rows: new Map([...this.#rows].map(([key, { transaction, feedSeq }]) => [key, { transaction, feedSeq }])),
      sums: new Map(),
      processFaults: this.#deaths,
      undisturbed: false,
      crowded: false,
      horizonMs: POLICY.horizonMs,
      quietPeriodMs: POLICY.quietPeriodMs,
      bugs: [...this.#telemetry.counts.keys()].filter((name) => name.startsWith("error")),
    };
  }

  #die(process: number): void {
    this.#open.delete(process);
    this.#deaths.push({ kind: "crash", replica: process, at: this.#steps.now, until: Number.POSITIVE_INFINITY });
    this.#trace.push(`dies ${process}`);
  }

  #step(): void {
    this.#steps.now += 1;
    this.#rows.nextStatement();
  }

  /** Sends a request, and lets nothing else happen until it is answered. */
  async #alone(asked: Asked): Promise<Operation> {
    const operation = this.#ask(asked);
    await setImmediate();
    while (this.#open.size > 0) {
      if (this.choices().length > 0) await this.choose(0);
      else await this.wait();
    }
    return operation;
  }

  /** Sends a request on a new process. */
  #ask({ as, content: request }: Asked): Operation {
    const begin = (content: TransactionRequest, more: Partial<Operation> = {}): Operation => {
      const operation: Operation = {
        ...more,
        content,
        invokedAt: this.#steps.now,
        timeoutMs: TIMEOUT_MS,
        endedAt: null,
        outcome: { kind: "unknown" },
      };
      this.operations.push(operation);
      return operation;
    };
    const end = (operation: Operation, outcome: Outcome): void => {
      operation.endedAt = this.#steps.now;
      operation.outcome = outcome;
      this.#trace.push(`answered ${operation.content.txId}`);
    };
    const { process, transact, reversals } = this.#start();
    const deadline = this.#clock.time + TIMEOUT_MS;
    const reverse: NonNullable<Operation["reverse"]> = { deliver: request.deliver === true };
    const { win } = request;
    const operation = begin(request, as === "reverse" ? { reverse } : win && { ofPlay: true });
    const paid = win && begin(win, { ofPlay: true });
    this.#open.set(process, operation);
    const served = async (): Promise<void> => {
      if (as === "reverse") {
        const reply = await reversals.reverse(reverseOf(request, deadline));
        if (reply.ok) reverse.as = reply.value.outcome;
        return end(operation, reply.ok && reply.value.txId === "" ? { kind: "uncalled" } : told(reply));
      }
      const reply = await transact.run(request, deadline);
      end(operation, told(reply));
      if (win === undefined || paid === undefined) return;
      if (reply.ok && reply.value.status === "success") end(paid, told(await transact.run(win, deadline)));
      else end(paid, { kind: "unknown" });
    };
    void served()
      .catch((cause: unknown) => this.#telemetry.error(ownTxId(request.txId), cause))
      .finally(() => this.#open.delete(process));
    return operation;
  }

  #start(): { readonly process: number; readonly transact: Transact; readonly reversals: ReverseTransaction } {
    const process = this.#processes++;
    const clock = this.#clock.of(() => !this.#deaths.some(({ replica }) => replica === process));
    const telemetry = this.#telemetry;
    const random = new CountingRandom(process);
    const store = new Proxy(this.#memory, {
      get: (memory, name: string & keyof TransactionStore) => (lines: never) =>
        this.turns.take(process, name, () => (memory[name] as (lines: never) => Promise<unknown>)(lines)),
    });
    const rows = new BatchedRows(store, clock);
    const permits = new WalletPermits(clock, telemetry, 64);
    const settings = {
      walletTarget: (): WalletTarget => ({ merchantId: MERCHANT.id, merchantCode: MERCHANT.code }) as WalletTarget,
    };
    const wallet = new ChosenWallet((one, attempt) => this.#call(process, one, attempt));
    const attempt = new Attempt(
      rows,
      wallet,
      permits,
      settings,
      clock,
      random,
      telemetry,
      POLICY,
      { changed: () => {} },
      () => {},
    );
    const transact = new Transact(rows, attempt, permits, clock, random, telemetry, POLICY);
    const context = { merchant: MERCHANT, playerId: PLAYER as PlayerId, game: GAME } as unknown as PlayerContext;
    const players = { find: async () => ok(context), gate: async () => undefined } as unknown as PlayerLookup;
    const shedder = new LoadShedder(clock, 1_000);
    return { process, transact, reversals: new ReverseTransaction(players, transact, shedder, clock, telemetry) };
  }

  #call(process: number, one: Content, attempt: number): Promise<WalletReply> {
    const call: WalletCall = {
      content: one,
      body: transactionBody(one),
      attempt,
      replica: process,
      begunAt: this.#steps.now,
      sentAt: this.#steps.now,
      endedAt: null,
      answer: null,
    };
    this.#calls.push(call);
    this.#trace.push(`calls ${one.txId}`);
    const isFirst = attempt === 1 && !this.#honest;
    const run = (choice: string): WalletReply => {
      const answer = this.#answer(call, choice as WalletChoice);
      call.endedAt = this.#steps.now;
      call.answer = answer;
      const result = answer.kind === "silent" ? "timeout" : answer.kind;
      return { answer, result, httpStatus: null, requestId: `${one.txId}#${attempt}`, durationMs: 0 };
    };
    return this.turns.take(process, `wallet ${one.txId}`, run, isFirst ? this.#scope.wallet : ["ok"]);
  }

  #answer({ content: one, body }: WalletCall, choice: WalletChoice): WalletReply["answer"] {
    const apply = (): Reply => {
      const kept = this.#kept.get(keyText(one));
      return kept ?? this.#ledger.apply(MERCHANT.code, JSON.parse(body));
    };
    if (choice === "late") this.#arriveLater(one, apply);
    if (choice === "silent") apply();
    if (choice === "lost" || choice === "late" || choice === "silent") return { kind: "silent" };
    const rejects = choice === "rejects" && !this.#kept.has(keyText(one));
    if (rejects && (one.action === "bet" || one.action === "rollback"))
      this.#kept.set(keyText(one), { ok: false, error: "PLAYER_BLOCKED" });
    const reply = rejects ? ({ ok: false, error: "PLAYER_BLOCKED" } as const) : apply();
    return reply.ok
      ? { kind: "accepted", balanceMinor: BigInt(Math.round(reply.balance * 100)) }
      : { kind: "rejected", error: reply.error };
  }

  /** The call arrives at any later moment of the scope, or at its end. */
  #arriveLater(one: Content, apply: () => Reply): void {
    const arrive = (): void => void apply();
    this.#late.push(arrive);
    void this.turns.take(NETWORK, `arrives ${one.txId}`, () => {
      const at = this.#late.indexOf(arrive);
      if (at >= 0) this.#late.splice(at, 1)[0]?.();
      return at;
    });
  }
}

const visible = (row: Transaction | undefined): string =>
  row === undefined ? "void" : `${row.status} ${row.reversedBy} ${row.settledBy}`;

/** The process of the calls that are on their way. */
export const NETWORK = -1;

class ChosenWallet extends Wallet {
  readonly #call: (one: Content, attempt: number) => Promise<WalletReply>;
  constructor(call: (one: Content, attempt: number) => Promise<WalletReply>) {
    super();
    this.#call = call;
  }
  override send(_: WalletTarget, one: Content, attempt: number): Promise<WalletReply> {
    return this.#call(one, attempt);
  }
  override balance = notHere;
}

const told = (result: Result<Answer | ReverseReply>): Outcome => {
  if (!result.ok) {
    const { code, field } = result.refusal;
    return { kind: "refused", code, ...(field !== undefined && { field }) };
  }
  const { value } = result;
  return { kind: "ok", status: value.status, error: "error" in value ? value.error : "", txId: value.txId };
};

const reverseOf = (request: TransactionRequest, deadline: number): Parameters<ReverseTransaction["reverse"]>[0] => ({
  provider: PROVIDER,
  sessionId: "session",
  playerRef: "",
  game: "",
  txId: ownTxId(request.txId),
  refTxId: request.refTxId === null ? "" : ownTxId(request.refTxId),
  kind: null,
  amountMinor: null,
  currency: "",
  roundId: "",
  unlessSettled: request.unlessSettled === true,
  deliver: request.deliver === true,
  deadline,
});
