import { WALLET_CODES } from "../../../contract/wallet/codes.ts";
import { ANSWERS, RESULTS } from "../../../contract/wallet/results.ts";
import type { Table } from "../table.ts";

/** The tables of how a wallet call ends, and of the codes of wallets. */
export function resultTables(): readonly Table[] {
  const results = Object.entries(RESULTS);
  const codes = Object.entries(WALLET_CODES);
  const meanings = [["last_result", "meaning"], ...results.map(([name, { meaning }]) => [name, meaning])];
  return [
    {
      path: "docs/specification/wallet-calls.md",
      rows: [
        ["reply", "outcome", "recorded as"],
        ...results.map(([name, { rule }]) => [rule, Object.hasOwn(ANSWERS, name) ? name : "silent", name]),
      ],
    },
    {
      path: "docs/provider.md",
      rows: [["code of a wallet", "what you do"], ...codes.map(([code, { provider }]) => [code, provider])],
    },
    {
      path: "docs/specification/wallet-contract.md",
      rows: [["known code", "when"], ...codes.map(([code, { meaning }]) => [code, forSpecification(meaning)])],
    },
    { path: "proto/aggregator/operator/v1/transaction.proto", rows: meanings },
    { path: "proto/aggregator/admin/v1/transaction.proto", rows: meanings },
  ];
}

/** The API's description speaks to the merchant, and the specification about the wallet. */
const forSpecification = (meaning: string): string =>
  meaning
    .replace("you have no player", "the wallet has no player")
    .replace("you never applied", "the wallet never applied");
