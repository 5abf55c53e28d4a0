/** `history.jsonl`: what the provider asked and what it came to know, in the order in which it happened. Only ever appended to. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import type { Operation, Outcome } from "../judge/record.ts";

/** The operations of a run, each written down when it begins and when it ends. */
export class History {
  readonly operations: Operation[] = [];
  readonly #file: number;
  #closed = false;

  constructor(file: string) {
    this.#file = openSync(file, "a");
  }

  /** @returns how it ended is told to this. */
  begin(content: Content, timeoutMs: number): (outcome: Outcome) => void {
    const operation: Operation = { content, invokedAt: Date.now(), timeoutMs, endedAt: null, outcome: { kind: "unknown" } };
    const id = this.operations.push(operation);
    this.#write({ id, at: operation.invokedAt, kind: "invoke", content });
    return (outcome) => {
      operation.endedAt = Date.now();
      operation.outcome = outcome;
      this.#write({ id, at: operation.endedAt, ...outcome });
    };
  }

  /** What ends later is no longer written down. */
  close(): void {
    this.#closed = true;
    closeSync(this.#file);
  }

  #write(line: object): void {
    if (!this.#closed) writeSync(this.#file, `${JSON.stringify(line, (_, value) => (typeof value === "bigint" ? String(value) : value))}\n`);
  }
}
