import { KIND_SUMS } from "../../../../contract/transactions/kinds.ts";
import { CSV_DIALECT_NAMES, CSV_DIALECTS, type CsvCell, type CsvDialect, csvLine } from "../../../../web-files/csv.ts";
import type { GgrReport } from "../../../app/merchant/ggr-report.ts";
import { ok } from "../../../domain/errors.ts";
import {
  type GgrInPieces,
  type GgrRow,
  type GgrSums,
  ggrMinor,
  kindSums,
  pendingCount,
  readGgrRequest,
} from "../../../domain/transaction/report.ts";
import type { Language } from "../../../domain/values/language.ts";
import { type Currency, toDecimal } from "../../../domain/values/money.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { anyText, oneOf } from "../requests/query.ts";
import { route } from "../route.ts";

/** The number of rows in one piece. Writing them takes a few milliseconds. */
const ROWS_AT_ONCE = 1_000;

/** The route of GET /v1/reports/ggr. */
export const reportGgr = (reports: GgrReport) =>
  route({
    method: "GET",
    path: "/v1/reports/ggr",
    query: {
      from: anyText,
      to: anyText,
      group_by: anyText,
      tz: anyText,
      provider: anyText,
      type: anyText,
      format: oneOf("format", ["json", "csv"]),
      csv_dialect: oneOf("csv_dialect", CSV_DIALECT_NAMES),
    },
    read: ({ query: { format = "json", csv_dialect: dialect, ...fields } }) => {
      const report = readGgrRequest(fields);
      return report.ok ? ok({ report: report.value, format, dialect }) : report;
    },
    answer: async ({ merchant, query: { report, format, dialect } }) => {
      const made = await reports.make({ merchantIds: [merchant.id], currency: merchant.currency }, report);
      if (!made.ok) return made;
      return ok(
        format === "csv"
          ? { contentType: "text/csv; charset=utf-8", chunks: () => csv(made.value, dialect) }
          : {
              contentType: "application/json; charset=utf-8",
              chunks: (language: Language) => json(made.value, language),
            },
      );
    },
  });

const HEADER = [
  "bets",
  "bets_count",
  "refunds",
  "refunds_count",
  "wins",
  "wins_count",
  "rollbacks",
  "rollbacks_count",
  "ggr",
];
const PENDING_HEADER = ["pending_count", "pending_bets", "pending_refunds", "pending_wins", "pending_rollbacks"];
const KINDS_HEADER = KIND_SUMS.flatMap(({ column }) => [column, `${column}_count`]);

async function* csv({ rows, currency }: GgrInPieces, dialect: CsvDialect = "standard"): AsyncGenerator<string> {
  const cells = (row: GgrSums): CsvCell[] =>
    [...figures(row, currency), ...pendingFigures(row, currency), ...kindFigures(row, currency)].map((figure) => ({
      rawJSON: String(figure),
    }));
  yield CSV_DIALECTS[dialect].start + csvLine(["key", ...HEADER, ...PENDING_HEADER, ...KINDS_HEADER], dialect);
  yield* inPieces(rows, (some) => some.map((row) => csvLine([row.key, ...cells(row)], dialect)).join(""));
}

/** Writes the envelope in pieces, because a report by player may have very many rows. */
async function* json(
  { rows, totals, currency, timeZone, groupBy, asOf }: GgrInPieces,
  language: Language,
): AsyncGenerator<string> {
  const head = {
    success: true,
    message: SUCCESS_TEXTS.ggr[language],
    statusCode: 200,
    data: { currency, tz: timeZone, group_by: groupBy },
  };
  yield `${JSON.stringify(head).slice(0, -2)},"rows":[`;
  let first = true;
  yield* inPieces(rows, (some) => {
    const items = some.map((row) => `{"key":${JSON.stringify(row.key)},${sums(row, currency)}}`).join(",");
    const separated = first ? items : `,${items}`;
    first = false;
    return separated;
  });
  yield `],"totals":{${sums(totals, currency)}},"as_of":${JSON.stringify(new Date(asOf).toISOString())}}}`;
}

/** Lets other requests run between the pieces. */
async function* inPieces(
  pages: AsyncIterable<readonly GgrRow[]>,
  write: (some: readonly GgrRow[]) => string,
): AsyncGenerator<string> {
  for await (const rows of pages) {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await new Promise((resolve) => setImmediate(resolve));
      yield write(rows.slice(from, from + ROWS_AT_ONCE));
    }
  }
}

/** The sums as JSON text, because they may have more digits than a JavaScript number can hold. */
function sums(row: GgrSums, currency: Currency): string {
  const members = (names: readonly string[], values: readonly (string | number)[]): string =>
    names.map((name, i) => `"${name}":${values[i]}`).join(",");
  const pendingNames = PENDING_HEADER.map((name) => name.slice("pending_".length));
  const kinds = kindSums(row).map(
    ({ action, kind, count, minor }) =>
      `{"action":"${action}","kind":"${kind}","count":${count},"amount":${toDecimal(minor, currency)}}`,
  );
  const ofWhich = kinds.length === 0 ? "" : `,"of_which":[${kinds.join(",")}]`;
  return `${members(HEADER, figures(row, currency))},"pending":{${members(pendingNames, pendingFigures(row, currency))}}${ofWhich}`;
}

/** The values of the columns in {@link HEADER}. */
function figures(row: GgrSums, currency: Currency): (string | number)[] {
  const { bet, refund, win, rollback } = row.success;
  const amounts = [bet, refund, win, rollback].flatMap(({ count, minor }) => [toDecimal(minor, currency), count]);
  return [...amounts, toDecimal(ggrMinor(row), currency)];
}

/** The values of the columns in {@link PENDING_HEADER}. */
function pendingFigures(row: GgrSums, currency: Currency): (string | number)[] {
  const { bet, refund, win, rollback } = row.pending;
  return [pendingCount(row), ...[bet, refund, win, rollback].map(({ minor }) => toDecimal(minor, currency))];
}

/** The values of the columns in {@link KINDS_HEADER}. */
function kindFigures({ ofWhich }: GgrSums, currency: Currency): (string | number)[] {
  return KIND_SUMS.flatMap(({ action, kind }) => {
    const sum = ofWhich.find((one) => one.action === action && one.kind === kind);
    return [toDecimal(sum?.minor ?? 0n, currency), sum?.count ?? 0];
  });
}
