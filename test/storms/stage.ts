import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import { SPORTSBOOK } from "../../src/domain/catalog/provider.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import { judge } from "../../testbed/judge/judge.ts";
import type { Violation } from "../../testbed/judge/record.ts";
import { settled } from "../../testbed/judge/stored-rows.ts";
import { Provider } from "../../testbed/provider/provider.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { Installation } from "../../testbed/stage/installation.ts";
import { type Guest, invite, OTHER } from "./guest.ts";
import { look, type Seen } from "./seen.ts";
import { Sportsbook } from "./sportsbook.ts";

const REPLICAS = 3;
const ENDS_WITHIN_MS = 60_000;
export const WALLET_TIMEOUT_MS = 2_000;
/** The time in milliseconds until the first resend of a credit. */
export const FIRST_DELAY_MS = 200;

export interface StageOptions {
  /** The URL of an empty database. */
  readonly databaseUrl: string;
  readonly merchants: number;
  /** The quiet period. In production it is a minute. */
  readonly quietMs: number;
  /** The number of copies of one request in a storm. */
  readonly copies: number;
  readonly seed: number;
  readonly rules: Partial<LedgerRules>;
}

/** The name of a row of the catalogue. */
export interface RowTitle {
  readonly id: `D${number}`;
  readonly what: string;
}

/** The results of a row's runs. */
export interface RowResult {
  readonly row: RowTitle;
  readonly runs: number;
  readonly requests: number;
  readonly calls: number;
  /** The number of times that each answer was given. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The number of times that each situation happened. */
  readonly situations: ReadonlyMap<string, number>;
}

/**
 * Three replicas of the service on one MariaDB, a wallet and three providers. Runs the rows, then judges everything.
 */
export class Stage {
  readonly installation: Installation;
  readonly options: StageOptions;
  readonly replicas: readonly Replica[];
  readonly other: { readonly guest: Guest; readonly provider: Provider };
  readonly sportsbook: Sportsbook;
  readonly #outcomeCounts = new Map<RowTitle, Map<string, number>>();
  readonly #situations = new Map<RowTitle, Map<string, number>>();
  readonly #done = new Map<RowTitle, number>();
  readonly #checks: ((seen: Seen) => void)[] = [];
  readonly #violations: Violation[] = [];
  #closed = false;

  private constructor(
    installation: Installation,
    options: StageOptions,
    other: Guest,
    sportsbook: Guest,
    replicas: readonly Replica[],
  ) {
    this.installation = installation;
    this.options = options;
    this.replicas = replicas;
    this.other = { guest: other, provider: new Provider(other.apiKey, installation.history) };
    this.sportsbook = new Sportsbook(sportsbook, installation.history);
  }

  static async open(options: StageOptions): Promise<Stage> {
    const env = {
      WALLET_TIMEOUT_MS: String(WALLET_TIMEOUT_MS),
      // No process is killed here. The long margin keeps a busy process from looking dead.
      LEASE_MARGIN_MS: "7000",
      RESEND_FIRST_DELAY_MS: String(FIRST_DELAY_MS),
      REFUND_QUIET_PERIOD_MS: String(options.quietMs),
    };
    const installation = await Installation.open({ ...options, sessionsEach: 2, env });
    try {
      const [other, sportsbook] = [await invite(installation, OTHER), await invite(installation, SPORTSBOOK)];
      const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => installation.startReplica()));
      return new Stage(installation, options, other, sportsbook, replicas);
    } catch (cause) {
      await installation.close();
      throw cause;
    }
  }

  /** Adds `runs` runs of a row. Returns the number of the first one. */
  begin(row: RowTitle, runs: number): number {
    const first = this.#done.get(row) ?? 0;
    this.#done.set(row, first + runs);
    return first;
  }

  /** Counts an answer to a request of a row. */
  count(row: RowTitle, answer: string): void {
    increment(this.#outcomeCounts, row, answer);
  }

  note(row: RowTitle, situation: string): void {
    increment(this.#situations, row, situation);
  }

  violate(one: Violation): void {
    this.#violations.push(one);
  }

  afterwards(check: (seen: Seen) => void): void {
    this.#checks.push(check);
  }

  /**
   * Waits until all transactions have ended, judges the run, and closes the stage. If this fails or there is a
   * violation, the records are kept, and their folder is printed.
   */
  async end(): Promise<{ readonly violations: readonly Violation[]; readonly results: readonly RowResult[] }> {
    const { installation, replicas } = this;
    try {
      await settled(installation.database, ENDS_WITHIN_MS);
      const seen = await look(installation);
      for (const check of this.#checks) check(seen);
      const origin = `http://127.0.0.1:${replicas[0]?.ports.rest}`;
      const found = await judge(installation, { healed: true, standstills: [], bugs: this.#bugs() }, origin);
      const violations = [...this.#violations, ...found];
      if (violations.length > 0) this.#keepRecords();
      return { violations, results: [...this.#done].map(([row, runs]) => this.#resultOf(row, runs, seen)) };
    } catch (cause) {
      this.#keepRecords();
      throw cause;
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.sportsbook.close();
    this.other.provider.close();
    await this.installation.close();
  }

  #resultOf(row: RowTitle, runs: number, seen: Seen): RowResult {
    const outcomes = this.#outcomeCounts.get(row) ?? new Map<string, number>();
    const situations = this.#situations.get(row) ?? new Map<string, number>();
    const requests = outcomes.values().reduce((sum, n) => sum + n, 0);
    return { row, runs, requests, calls: seen.callCount(`${row.id}-`), outcomes, situations };
  }

  #bugs(): string[] {
    const ended = this.replicas
      .filter(({ isRunning }) => !isRunning)
      .map(({ output }) => `a replica ended by itself:\n${output().slice(-2_000)}`);
    const broken = this.installation.history.operations.flatMap(({ content, outcome }) =>
      outcome.kind === "refused" && outcome.code === "INTERNAL_ERROR" ? [`INTERNAL_ERROR for ${keyText(content)}`] : [],
    );
    return [...ended, ...broken];
  }

  #keepRecords(): void {
    const kept = mkdtempSync(join(tmpdir(), "storms-"));
    for (const name of ["ledger.jsonl", "history.jsonl"])
      copyFileSync(join(this.installation.folder, name), join(kept, name));
    for (const [i, { output }] of this.replicas.entries()) writeFileSync(join(kept, `replica-${i + 1}.log`), output());
    console.error(`ledger, history and the replicas' logs are kept in ${kept}`);
  }
}

function increment(counts: Map<RowTitle, Map<string, number>>, row: RowTitle, what: string): void {
  const ofRow = counts.get(row) ?? new Map<string, number>();
  counts.set(row, ofRow.set(what, (ofRow.get(what) ?? 0) + 1));
}
