import {
  CALLBACK_FIELDS,
  type CallbackField,
  ITEM_FIELDS,
  type ItemField,
} from "../../../contract/transactions/fields.ts";
import { KINDS } from "../../../contract/transactions/kinds.ts";
import type { Table } from "../table.ts";

/** The JSON type of a field's value. */
const JSON_TYPES: Readonly<Partial<Record<ItemField["type"], string>>> = {
  amount: "number",
  count: "number",
  time: "time",
  jackpot: "object",
  micros: "number",
};
const CALLS: Readonly<Record<CallbackField["of"], string>> = {
  every: "all",
  transaction: "bet, win, refund, rollback",
  reversal: "refund, rollback",
  original: "bet, win",
};

const OWNERS = { bet: "a bet", win: "a win", both: "a bet or a win" } as const;

/** The tables of a transaction's fields and kinds. */
export function fieldTables(): readonly Table[] {
  const items: readonly (readonly [string, ItemField])[] = Object.entries(ITEM_FIELDS);
  const callback: readonly (readonly [string, CallbackField])[] = Object.entries(CALLBACK_FIELDS);
  return [
    {
      path: "docs/specification/kinds.md",
      rows: [
        ["`kind`", "of", "meaning"],
        ...Object.entries(KINDS).map(([kind, { of, text }]) => [`\`${kind}\``, OWNERS[of], text]),
      ],
    },
    {
      path: "docs/specification/transaction-lists.md",
      rows: [
        ["field of an item", "type"],
        ...items.map(([name, { type, nullable }]) => [
          `\`${name}\``,
          `${JSON_TYPES[type] ?? "string"}${nullable === true ? " or null" : ""}`,
        ]),
      ],
    },
    {
      path: "docs/specification/wallet-contract.md",
      rows: [
        ["field", "present in", "type", ""],
        ...callback.map(([name, { of, type, optional, text }]) => [
          `\`${name}\``,
          `${CALLS[of]}${optional === true ? ", if known" : ""}`,
          type === "amount" ? "number" : type === "flag" ? "boolean" : "string",
          text,
        ]),
      ],
    },
  ];
}
