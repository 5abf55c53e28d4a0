/** A callback as a value: its player and its content. Sending the same value twice is a repeat. */
import { type Currency, decimal } from "./money.ts";

type Action = "balance" | "bet" | "win" | "refund" | "rollback";

/** A merchant of the wallet. */
export interface Account {
  readonly code: string;
  readonly secret: string;
  /** The name of the shell variable that holds the secret in curl lines. */
  readonly secretName: "SECRET" | "OTHER_SECRET";
  readonly currency: Currency;
}

/** The body's fields, in the order in which the service sends them. `amount` is in minor units. */
export interface Fields {
  readonly action: Action;
  readonly player_id: string;
  readonly currency: string;
  readonly provider: string;
  readonly game: string;
  readonly tx_id?: string;
  readonly round_id?: string;
  readonly amount?: bigint;
  readonly ref_tx_id?: string;
}

export interface Callback {
  readonly account: Account;
  readonly fields: Fields;
  /** More fields of the body: JSON values by name. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The body's bytes as text. Each attempt has the same bytes. */
export function bodyOf({ account, fields, extra = {} }: Callback): string {
  const values = Object.entries({ ...fields, ...extra }).filter(([, value]) => value !== undefined);
  return `{${values.map(([name, value]) => `${JSON.stringify(name)}:${typeof value === "bigint" ? decimal(value, account.currency) : JSON.stringify(value)}`).join(",")}}`;
}
