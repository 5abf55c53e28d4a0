import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { GROUPINGS } from "../../../contract/values/groupings.ts";
import { PRODUCTS } from "../../../contract/values/products.ts";
import { GetGgrReportResponseSchema } from "../../gen/aggregator/operator/v1/report_service_pb.ts";
import { choice, required, text } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { recordOutput } from "../output/command-output.ts";
import { majorUnits } from "../output/major-units.ts";

const COLUMNS = ["key", "bets", "refunds", "wins", "rollbacks", "ggr", "pending"];
const ACTIONS = ["bets", "refunds", "wins", "rollbacks"] as const;

/** The kinds of bets and wins, each with its amount in the major unit and the number of transactions. */
const kindsOf = (row: JsonObject, currency: string): JsonObject =>
  Object.fromEntries(
    (((row.of_which as JsonObject | undefined)?.sums ?? []) as JsonObject[]).map(
      ({ action, kind, count, amount_minor = 0 }) => [
        `${action}s ${kind}`,
        `${majorUnits(Number(amount_minor), currency)} (${count})`,
      ],
    ),
  );

/**
 * The report for people. It has a line for each group, with amounts in the major unit and the numbers of transactions.
 * The last line has the totals. `of_which` has the parts of the totals that have a kind.
 */
function readable({ rows, totals, currency, ...report }: JsonObject): JsonObject {
  const line = (row: JsonObject, key: JsonValue): JsonObject => {
    const sums = ACTIONS.map((action) => {
      const { count = 0, amount_minor = 0 } = row[action] as JsonObject;
      return [action, `${majorUnits(Number(amount_minor), String(currency))} (${count})`];
    });
    return {
      key,
      ...Object.fromEntries(sums),
      ggr: majorUnits(Number(row.ggr_minor), String(currency)),
      pending: (row.pending as JsonObject).count ?? 0,
    };
  };
  const groups = (rows as JsonObject[]).map((row) => line(row, row.key ?? null));
  const ofWhich = kindsOf(totals as JsonObject, String(currency));
  return {
    currency: currency ?? null,
    ...report,
    ...(Object.keys(ofWhich).length > 0 && { of_which: ofWhich }),
    rows: [...groups, line(totals as JsonObject, "total")],
  };
}

export const report: Noun = {
  summary: "Reports",
  verbs: {
    ggr: command({
      summary:
        "Shows the sums of successful transactions of a merchant, or of all merchants of a currency: GGR is (bets - refunds) - (wins - rollbacks)",
      notes:
        "A transaction counts on the day of its creation. A day whose pending is 0 is settled. A report by player needs the role support, and the audit log records it. A report of more than 10 000 lines is refused: use fewer days, --provider or --type. The merchant itself gets reports of any length over REST (GET /v1/reports/ggr).",
      flags: {
        merchant: text("code", "The merchant's code. Required without --currency", "shop-brl"),
        currency: text("code", "All merchants of this currency, instead of --merchant", "BRL"),
        from: required(text("date", "The first day", "2026-01-01")),
        to: required(text("date", "The last day, which the report includes: at most 92 days in all", "2026-01-31")),
        groupBy: choice(
          "What each line stands for. The default is day. player needs --merchant, merchant needs --currency",
          ...Object.keys(GROUPINGS),
        ),
        tz: text("zone", "The time zone of the days. The default is UTC", "America/Sao_Paulo"),
        provider: text("code", "Only transactions of this provider", "ACME"),
        type: choice("Only games of this type", ...PRODUCTS),
      },
      examples: [
        "--merchant shop-brl --from 2026-01-01 --to 2026-01-31",
        "--merchant shop-brl --from 2026-01-01 --to 2026-01-31 --group-by provider --tz America/Sao_Paulo --json",
        "--currency BRL --from 2026-01-01 --to 2026-01-31 --group-by merchant",
      ],
      run: async (api, given) =>
        recordOutput(GetGgrReportResponseSchema, await api.report.getGgrReport(given), {
          readable,
          tables: { rows: COLUMNS },
        }),
    }),
  },
};
