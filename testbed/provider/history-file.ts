/** `history.jsonl`: the provider's requests and their outcomes, in order of time. The file only grows. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { TransactionRequest } from "../../src/domain/transaction/transaction.ts";
import type { Operation, Outcome } from "../judge/record.ts";

/** The operations of a run. Each is written at its beginning and at its end. */
export class History {
  readonly operations: Operation[] = [];
  readonly #file: number;
  #closed = false;

  constructor(file: string) {
    this.#file = openSync(file, "a");
  }

  /** @returns a function; call it with the outcome when the operation has ended. */
  begin(
    content: TransactionRequest,
    timeoutMs: number,
    more: Pick<Operation, "ofPlay" | "reverse"> = {},
  ): (outcome: Outcome) => void {
    const operation: Operation = {
      ...more,
      content,
      invokedAt: Date.now(),
      timeoutMs,
      endedAt: null,
      outcome: { kind: "unknown" },
    };
    const id = this.operations.push(operation);
    this.#write({ id, at: operation.invokedAt, kind: "invoke", content, ...more });
    return (outcome) => {
      operation.endedAt = Date.now();
      operation.outcome = outcome;
      this.#write({ id, at: operation.endedAt, ...outcome });
    };
  }

  /** Closes the file. Later outcomes are not written. */
  close(): void {
    this.#closed = true;
    closeSync(this.#file);
  }

  #write(line: object): void {
    if (!this.#closed)
      writeSync(
        this.#file,
        `${JSON.stringify(line, (_, value) => (typeof value === "bigint" ? String(value) : value))}\n`,
      );
  }
}
