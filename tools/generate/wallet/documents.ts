import { ANSWERS, RESULTS } from "../../../contract/wallet/results.ts";
import type { Table } from "../table.ts";

/** The tables of how a wallet call ends. */
export function resultTables(): readonly Table[] {
  const results = Object.entries(RESULTS);
  const meanings = [["last_result", "meaning"], ...results.map(([name, { meaning }]) => [name, meaning])];
  return [
    {
      path: "docs/specification/wallet-calls.md",
      rows: [
        ["reply", "outcome", "recorded as"],
        ...results.map(([name, { rule }]) => [rule, Object.hasOwn(ANSWERS, name) ? name : "silent", name]),
      ],
    },
    { path: "proto/aggregator/operator/v1/transaction.proto", rows: meanings },
    { path: "proto/aggregator/admin/v1/transaction.proto", rows: meanings },
  ];
}
