import type { Result } from "../../../src/domain/errors.ts";
import { type Content, isReversal } from "../../../src/domain/transaction/transaction.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import type { Command, Operation, Write } from "../../../testbed/judge/record.ts";
import type { SeededRandom } from "../../../testbed/seeded-random.ts";
import { isClosing } from "../judge/check-closings.ts";
import type { ServiceProcess } from "../service/service-process.ts";
import type { Replica } from "../world/replica.ts";
import type { Stage } from "../world/stage.ts";
import { isDatabaseFault, MERCHANTS } from "../world/world-fixture.ts";

const NETWORK_MS = { min: 1, max: 40 };

/** A merchant's statement to support about a transaction, and the time of the statement. */
interface Evidence {
  readonly keys: readonly string[];
  readonly closes: string;
  readonly at: number;
}

/**
 * Merchants who request a resend of a win or refund, and support. Support closes pending rows that are older than the
 * horizon, with the result in the merchant's ledger. Both choose any transactions, including ones for which the command
 * makes no sense.
 */
export class Support {
  readonly commands: Command[] = [];
  readonly bugs: string[] = [];
  readonly #evidence: Evidence[] = [];
  readonly #stage: Stage;
  readonly #random: SeededRandom;
  readonly #operations: readonly Operation[];

  /** @param operations - the requests of providers so far. */
  constructor(stage: Stage, random: SeededRandom, operations: readonly Operation[]) {
    this.#stage = stage;
    this.#random = random;
    this.#operations = operations;
  }

  /**
   * Sends `count` commands within the window. Resolves when the last command is answered or can no longer be answered.
   */
  async play(count: number, windowMs: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async () => {
        await this.#sleep(this.#random.int(0, windowMs));
        const closes = this.#random.chance(0.5);
        const content = this.#choose(closes);
        if (content !== undefined) await (closes ? this.close(content) : this.resend(content));
      }),
    );
  }

  /** Requests a resend of the transaction for its merchant. */
  resend(content: Content): Promise<void> {
    return this.#command("resend", content, (app) => app.resendTransaction.resend(content));
  }

  /** Closes the transaction with the result in the merchant's ledger. */
  close(content: Content): Promise<void> {
    return this.#command("close", content, (app) => {
      const status = this.#evidenceOf(content);
      const merchant = MERCHANTS.find(({ id }) => id === content.merchantId)?.code ?? "";
      const author = { actor: "support", role: "support" as const, reason: "by the merchant's ledger" };
      return status === undefined ? undefined : app.support.resolve(author, { merchant, txId: content.txId }, status);
    });
  }

  /** Keys of rows that were closed although money moved between the merchant's statement and the closing. */
  closedUnseen(writes: readonly Write[]): Set<string> {
    const { appliedAt } = this.#stage.wallets;
    const closedAt = new Map(writes.filter(isClosing).map(({ key, at }) => [key, at]));
    const moved = this.#evidence.filter(({ keys, closes, at }) =>
      keys.some((key) => (appliedAt.get(key) ?? at) > at && (appliedAt.get(key) ?? at) <= (closedAt.get(closes) ?? 0)),
    );
    return new Set(moved.flatMap(({ keys }) => keys));
  }

  /** Chooses mostly a pending or failed transaction, as in a filtered list, and sometimes any other transaction. */
  #choose(closes: boolean): Content | undefined {
    const all = [...this.#stage.rows.values()].map(({ transaction }) => transaction);
    const needy = all.filter((row) => row.status === "pending" || (row.status === "failed" && !closes));
    if (needy.length > 0 && this.#random.chance(0.8)) return this.#random.pick(needy);
    return this.#operations.length === 0 ? undefined : this.#random.pick(this.#operations).content;
  }

  /**
   * The merchant's statement. It is undefined if the original is applied and its reversal is not: then support must
   * resend the reversal and not close it.
   */
  #evidenceOf(content: Content): "success" | "failed" | undefined {
    const { appliedAt } = this.#stage.wallets;
    const key = keyText(content);
    const original =
      content.refTxId === null ? undefined : keyText({ merchantId: content.merchantId, txId: content.refTxId as TxId });
    this.#evidence.push({
      keys: original === undefined ? [key] : [key, original],
      closes: key,
      at: this.#stage.kernel.now,
    });
    if (appliedAt.has(key)) return "success";
    return isReversal(content.action) && original !== undefined && appliedAt.has(original) ? undefined : "failed";
  }

  /** Runs a command at a random replica. When the process dies, its command is lost. */
  #command(
    what: Command["what"],
    content: Content,
    run: (app: ServiceProcess) => Promise<Result<unknown>> | undefined,
  ): Promise<void> {
    const replica = this.#random.pick(this.#stage.replicas);
    return new Promise((resolve) => {
      this.#stage.kernel.after(this.#random.ms(NETWORK_MS), () => {
        const { life } = replica;
        if (replica.app === undefined) return resolve();
        // A process that dies gives no answer.
        this.#stage.kernel.after(120_000, resolve);
        replica.enter(life, () => this.#serve(replica, what, content, run, resolve));
      });
    });
  }

  #serve(
    { app }: Replica<ServiceProcess>,
    what: Command["what"],
    content: Content,
    run: (app: ServiceProcess) => Promise<Result<unknown>> | undefined,
    done: () => void,
  ): void {
    const answer = app && run(app);
    if (answer === undefined) return done();
    const command: Command = { what, key: keyText(content), invokedAt: this.#stage.kernel.now, outcome: "unknown" };
    this.commands.push(command);
    answer
      .then(
        (result) => {
          command.outcome = result.ok ? "done" : "refused";
          this.#stage.fired.count(`${what} ${command.outcome}`);
        },
        (cause: unknown) => {
          if (!isDatabaseFault(cause))
            this.bugs.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
        },
      )
      .finally(done);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#stage.kernel.after(ms, resolve));
  }
}
