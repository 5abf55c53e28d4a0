/** Reads a merchant's ledger from a CSV file, line by line. */
import { createReadStream } from "node:fs";
import { CsvFault, CsvReader } from "../src/domain/catalog/csv.ts";

/** One line of the ledger. */
export interface LedgerLine {
  /** The line of the file, counted from 1. */
  readonly line: number;
  readonly txId: string;
  readonly action: string;
  /** Decimal text in its shortest form. */
  readonly amount: string;
  readonly currency: string;
  readonly status: "success" | "failed";
}

/** The file is not a valid ledger. `faults`: each fault with its line. */
export class LedgerFault extends Error {
  override readonly name = "LedgerFault";

  constructor(file: string, faults: readonly string[]) {
    super(faults.map((fault) => `${file}${fault}`).join("\n"));
  }
}

const REQUIRED = ["tx_id", "action", "amount"] as const;
const ACTIONS = ["bet", "win", "refund", "rollback"];
const FAULTS_MAX = 20;

/**
 * The lines of a file. Required columns: tx_id, action (bet, win, refund, rollback) and amount (decimal text above
 * zero, such as 2.50, or 2,50 in a file with semicolons). Optional columns: currency (the merchant's by default) and status (success by default, or failed
 * if the wallet refused). Columns may be in any order. Other columns are ignored.
 *
 * @param currency - the merchant's currency.
 * @throws LedgerFault with the first faults of the file.
 */
export async function* readLedger(file: string, currency: string): AsyncGenerator<LedgerLine> {
  const reader = new CsvReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const faults: string[] = [];
  let header: readonly string[] | undefined;
  const read = (records: ReturnType<CsvReader["push"]>): LedgerLine[] => {
    const lines: LedgerLine[] = [];
    for (const { line, cells } of records) {
      if (header === undefined) {
        header = readHeader(file, cells);
        continue;
      }
      const named = Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""]));
      const read = toLine(line, { ...named, amount: reader.number(named.amount ?? "") }, currency);
      if (typeof read !== "string") lines.push(read);
      else if (faults.push(`:${line}: ${read}`) === FAULTS_MAX) throw new LedgerFault(file, faults);
    }
    return lines;
  };
  try {
    for await (const piece of createReadStream(file))
      yield* read(reader.push(decoder.decode(piece as Buffer, { stream: true })));
    yield* read(reader.push(decoder.decode()));
    yield* read(reader.end());
  } catch (cause) {
    throw faultOf(file, cause);
  }
  if (header === undefined) throw new LedgerFault(file, [": it is empty; the first line names the columns"]);
  if (faults.length > 0) throw new LedgerFault(file, faults);
}

function readHeader(file: string, cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new LedgerFault(file, [
      `:1: the first line names the columns; there is no ${missing.join(", no ")} among ${names.join(", ")}`,
    ]);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new LedgerFault(file, [`:1: the column ${twice} is there twice`]);
  return names;
}

/** A line, or the text of its fault. */
function toLine(line: number, cells: Readonly<Record<string, string>>, merchantCurrency: string): LedgerLine | string {
  const { tx_id: txId = "", action = "", amount = "", currency = "", status = "" } = cells;
  const plain = plainDecimal(amount.trim());
  if (txId === "") return "tx_id is empty";
  if (!ACTIONS.includes(action)) return `action must be bet, win, refund or rollback, not "${action}"`;
  if (plain === undefined)
    return `amount must be a decimal above zero such as 2.50, without sign and separators, not "${amount}"`;
  if (status !== "" && status !== "success" && status !== "failed")
    return `status must be success or failed, not "${status}"`;
  return {
    line,
    txId,
    action,
    amount: plain,
    currency: currency === "" ? merchantCurrency : currency,
    status: status === "failed" ? "failed" : "success",
  };
}

/**
 * Decimal text in its shortest form, so that equal amounts are equal texts. undefined: the text is not a decimal, or it
 * is zero.
 */
function plainDecimal(text: string): string | undefined {
  const [, whole = "", fraction = ""] = /^0*(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "") return undefined;
  const significant = fraction.replace(/0+$/, "");
  const plain = significant === "" ? whole : `${whole}.${significant}`;
  return plain === "0" ? undefined : plain;
}

function faultOf(file: string, cause: unknown): unknown {
  if (cause instanceof CsvFault) return new LedgerFault(file, [`:${cause.line}: ${cause.message}`]);
  if (cause instanceof TypeError && "code" in cause && cause.code === "ERR_ENCODING_INVALID_ENCODED_DATA")
    return new LedgerFault(file, [": it is not UTF-8"]);
  if (cause instanceof Error && "syscall" in cause) return new LedgerFault(file, [`: ${cause.message}`]);
  return cause;
}
