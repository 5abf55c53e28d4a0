import type { VNode } from "preact";
import type { CsvCell } from "../../../../web-files/csv.ts";
import { majorText } from "../../parts/amount.ts";
import { Export } from "../../parts/export/export-pages.tsx";
import { timelineWords } from "../../shell/language.ts";
import { COLUMNS, rowOf } from "../transactions/csv-rows.ts";
import { type Kind, type Query, requestOf, type Slip, type StuckPage } from "./types.ts";

/** Saves the whole list as CSV. */
export const StuckExport = ({ kind, query }: { readonly kind: Kind; readonly query: Query }): VNode => (
  <Export
    rpc="admin.ConsoleService/ListStuckMoney"
    request={requestOf(kind, query)}
    header={["kind", ...COLUMNS]}
    rowsOf={(page: StuckPage) => rowsOf(kind, page)}
    file={`stuck-${kind}${query.merchant ? `-${query.merchant}` : ""}`}
    capped={timelineWords.stuck.capped}
  />
);

const rowsOf = (kind: Kind, { items = [] }: StuckPage): CsvCell[][] =>
  items.flatMap(({ transaction, slip }) => [
    ...(transaction === undefined ? [] : [[kind, ...rowOf(transaction)]]),
    ...(slip === undefined ? [] : [[kind, ...slipRow(slip)]]),
  ]);

/** A slip has several rounds and calls. Its timeline shows them. */
const slipRow = ({ merchant, createdAt, txId, slipId, amountMinor, currency, status, playerId }: Slip): CsvCell[] => [
  ...[
    merchant,
    createdAt,
    txId,
    slipId,
    "bet",
    { rawJSON: majorText(amountMinor, currency) },
    currency,
    status,
    "",
    playerId,
  ],
  ...["", "", "", ""],
];
