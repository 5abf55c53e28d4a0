import { MERCHANT_FIELDS } from "../../contract/merchants/fields.ts";
import type { Table } from "./table.ts";

/** The table of a merchant's fields. */
export const merchantTable: Table = {
  path: "docs/specification/administration.md",
  rows: [
    ["field of a merchant", "rule"],
    ...Object.entries(MERCHANT_FIELDS).map(([name, { rule }]) => [`\`${name}\``, rule]),
  ],
};
