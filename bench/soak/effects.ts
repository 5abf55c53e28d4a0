import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Row } from "../history/transaction-rows.ts";

/** A file in the wallet's folder with a line for each effect: merchant, tx_id, added minor units. */
export const LEDGER_FILE = "ledger.tsv";

/** The changes of balances that a wallet reports. */
export class Effects {
  readonly #minor = new Map<string, number>();
  #twice = 0;

  /** @param merchantIds - the merchants' ids by code. */
  async read(file: string, merchantIds: ReadonlyMap<string, number>): Promise<void> {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const [merchant = "", txId = "", minor = ""] = line.split("\t");
      this.add(merchantIds.get(merchant) ?? 0, txId, Number(minor));
    }
  }

  add(merchantId: number, txId: string, minor: number): void {
    const key = `${merchantId}/${txId}`;
    if (this.#minor.has(key)) this.#twice += 1;
    this.#minor.set(key, minor);
  }

  /** Compares the effects with all rows of the table. Removes the effects that have a row from the list. */
  async compare(rows: AsyncIterable<Row> | Iterable<Row>): Promise<Found> {
    const found = {
      rows: 0,
      effects: this.#minor.size,
      twice: this.#twice,
      missing: 0,
      other: 0,
      failedWithEffect: 0,
      withoutRow: 0,
      openDebits: 0,
      openCredits: 0,
    };
    for await (const { merchantId, txId, action, status, amountMinor } of rows) {
      const key = `${merchantId}/${txId}`;
      const minor = this.#minor.get(key);
      this.#minor.delete(key);
      const isCredit = action === "win" || action === "refund";
      found.rows += 1;
      if (status === "success" && minor === undefined) found.missing += 1;
      else if (status === "failed" && minor !== undefined) found.failedWithEffect += 1;
      else if (status === "pending") found[isCredit ? "openCredits" : "openDebits"] += 1;
      if (minor !== undefined && minor !== (isCredit ? amountMinor : -amountMinor)) found.other += 1;
    }
    found.withoutRow = this.#minor.size;
    return found;
  }
}

/** The result of comparing the rows with a wallet's effects. */
export interface Found {
  readonly rows: number;
  readonly effects: number;
  /** Effects of a tx_id that already had an effect. */
  readonly twice: number;
  /** Successes without an effect. */
  readonly missing: number;
  /** Effects whose amount differs from the row's amount. */
  readonly other: number;
  /** Failures with an effect. */
  readonly failedWithEffect: number;
  readonly withoutRow: number;
  /** Pending bets and rollbacks. They are allowed, because they stay pending without a repeat. */
  readonly openDebits: number;
  readonly openCredits: number;
}

/** The violations among the effects, as texts. */
export function faultsOf(found: Found): string[] {
  const texts: readonly (readonly [number, string])[] = [
    [found.twice, "effects came twice"],
    [found.missing, "successes never reached the wallet"],
    [found.other, "effects are of another amount than their rows"],
    [found.failedWithEffect, "failures moved money"],
    [found.withoutRow, "effects have no row"],
    [found.openCredits, "credits never came to an end"],
  ];
  return texts.filter(([n]) => n > 0).map(([n, text]) => `${n} ${text}`);
}
