import { STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { logLine } from "../../src/adapters/sql/transactions/attempt-log.ts";
import { NEVER } from "../../src/domain/transaction/transaction.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { Attempt } from "../../src/ports/transactions/transaction-store.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import type { InventedRow } from "./invent-hour.ts";
import { HOUR_MS } from "./plan.ts";

type Cell = string | number | null;
/** Column names for LOAD DATA. The variable `@token` gets its value below. */
export const TX_COLUMNS = [
  "id",
  "merchant_id",
  "tx_id",
  "action",
  "status",
  "player_id",
  "round_id",
  "amount_minor",
  "currency",
  "provider_id",
  "game_id",
  "ref_tx_id",
  "reversed_by",
  "error",
  "balance_minor",
  "attempts",
  "last_result",
  "@token",
  "silent_at",
  "next_at",
  "created_at",
  "opened_at",
  "updated_at",
  "feed_seq",
  "attempt_log",
] as const;
export const TX_SET = "lease_token = UNHEX(@token)";
export const MARK_COLUMNS = ["merchant_id", "minute", "seq"] as const;
export const SUM_COLUMNS = ["merchant_id", "hour", "provider_id", "type", "action", "tx_count", "sum_minor"] as const;

const WALLET_TIMEOUT_MS = 8_000;
/** About the sequencer's usual delay. */
const NUMBERED_AFTER_MS = 600;
const MINUTE_MS = 60_000;

export interface Lines {
  readonly tx: string;
  readonly marks: string;
  readonly sums: string;
}

/**
 * Writes generated transactions in the form in which the service would have left them. The columns of all tables agree
 * with each other.
 */
export class RowWriter {
  readonly #random: SeededRandom;
  /** Each merchant's last change number, and the last minute with a mark. */
  readonly #seq = new Map<number, number>();
  readonly #marked = new Map<number, number>();
  #id = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed, 1);
  }

  get written(): number {
    return this.#id;
  }

  /** Each merchant's last change number. */
  get heads(): readonly (readonly [merchantId: number, seq: number])[] {
    return [...this.#seq];
  }

  /** @param rows - the rows of one hour, sorted by time. */
  write(rows: readonly InventedRow[]): Lines {
    const [tx, marks] = [[] as string[], [] as string[]];
    const sums = new Map<string, [count: number, minor: number]>();
    for (const row of rows) {
      const seq = row.status === STATUS.void ? 0 : this.#number(row, marks);
      tx.push(line(this.#cells(row, seq)));
      if (row.status === STATUS.success) add(sums, row);
    }
    return {
      tx: tx.join(""),
      marks: marks.join(""),
      sums: [...sums].map(([key, cells]) => line([...key.split("/"), ...cells])).join(""),
    };
  }

  #number({ merchantId, at }: InventedRow, marks: string[]): number {
    const last = this.#seq.get(merchantId) ?? 0;
    const minute = Math.floor((at + NUMBERED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
    if (minute > (this.#marked.get(merchantId) ?? 0)) {
      marks.push(line([merchantId, minute, last]));
      this.#marked.set(merchantId, minute);
    }
    this.#seq.set(merchantId, last + 1);
    return last + 1;
  }

  #cells(row: InventedRow, seq: number): Cell[] {
    const { at, merchantId, game, txId, roundId, playerId, action, status, amountMinor, refTxId, reversedBy } = row;
    const attempt = this.#attempt(row);
    const isPending = status === STATUS.pending;
    const endedAt = attempt === null ? at : at + Math.round(attempt.durationMs);
    return [
      ++this.#id,
      merchantId,
      txId,
      action,
      status,
      playerId,
      roundId,
      amountMinor,
      "BRL",
      game.providerId,
      game.id,
      refTxId,
      reversedBy,
      status === STATUS.failed ? "INSUFFICIENT_FUNDS" : null,
      status === STATUS.success ? this.#random.int(0, 500_000) : null,
      attempt === null ? 0 : 1,
      attempt?.result ?? null,
      this.#random.hex(),
      isPending ? endedAt : null,
      isPending ? NEVER : null,
      at,
      at,
      endedAt,
      seq,
      attempt && logLine(attempt),
    ];
  }

  #attempt({ at: begunAt, status }: InventedRow): Attempt | null {
    const at = wholeMs(begunAt);
    if (status === STATUS.void) return null;
    const hex = this.#random.hex();
    const requestId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    if (status === STATUS.pending)
      return { n: 1, at, durationMs: wholeMs(WALLET_TIMEOUT_MS), httpStatus: null, result: "timeout", requestId };
    const result = status === STATUS.failed ? "rejected" : "accepted";
    return { n: 1, at, durationMs: wholeMs(this.#random.int(20, 400)), httpStatus: 200, result, requestId };
  }
}

function add(
  sums: Map<string, [count: number, minor: number]>,
  { at, merchantId, game, action, amountMinor }: InventedRow,
): void {
  const key = `${merchantId}/${at - (at % HOUR_MS)}/${game.providerId}/${game.type}/${action}`;
  const [count, minor] = sums.get(key) ?? [0, 0];
  sums.set(key, [count + 1, minor + amountMinor]);
}

/** A line in LOAD DATA's default format. No value needs an escape. */
const line = (cells: readonly Cell[]): string => `${cells.map((cell) => cell ?? "\\N").join("\t")}\n`;
