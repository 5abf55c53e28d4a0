import type { Grouping } from "../../../domain/transaction/report.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { DATE, PROVIDER, TIME_ZONE } from "./forms.ts";
import { type Described, query } from "./operation.ts";
import { amount, array, choice, count, described, named, object, oneOf, type Schema, text, time } from "./schema.ts";

const GROUP: Record<Grouping, string> = {
  day: "a day in `tz`: `YYYY-MM-DD`",
  provider: "a provider's code",
  game: "`<PROVIDER>/<game>`",
  type: "`slot`, `live` or `sportsbook`",
  player: "a player_id",
};

const sum = (what: string): Schema => amount(`${what}, major unit.`);
const sums = {
  bets: sum("Bets"),
  bets_count: count("How many bets."),
  refunds: sum("Refunds of bets"),
  refunds_count: count("How many refunds."),
  wins: sum("Wins"),
  wins_count: count("How many wins."),
  rollbacks: sum("Rollbacks of wins"),
  rollbacks_count: count("How many rollbacks."),
  ggr: sum("(bets - refunds) - (wins - rollbacks)"),
  pending: named("Pending"),
};

const totals = {
  bets: 1250.5,
  bets_count: 310,
  refunds: 10,
  refunds_count: 2,
  wins: 1100.25,
  wins_count: 96,
  rollbacks: 0,
  rollbacks_count: 0,
  ggr: 140.25,
  pending: { count: 1, bets: 0, refunds: 0, wins: 10, rollbacks: 0 },
};

const ggr: Described = {
  method: "get",
  path: "/v1/reports/ggr",
  id: "reportGgr",
  tag: "Reports",
  summary: "Gross gaming revenue",
  description:
    "Only transactions with status success count, each on the day of its created_at. So the report equals the sums of `GET /v1/transactions?status=success` over the same interval to the last minor unit. " +
    "A transaction that becomes success later changes its day. A day whose `pending` is 0 changes only when a failed credit succeeds later, or when your wallet accepts the refund (rollback) of a failed bet (win). " +
    "A day without transactions has no row. `format=csv` has the same columns, with `pending` as pending_count, pending_bets and so on.",
  parameters: [
    query("from", DATE, "The first day.", { required: true, example: "2026-01-01" }),
    query("to", DATE, "The last day, which is included; at most 92 days, counting both.", {
      required: true,
      example: "2026-01-31",
    }),
    query("group_by", named("GgrGrouping"), "What each row stands for. By default `day`."),
    query(
      "tz",
      { ...TIME_ZONE, default: "UTC" },
      "The time zone of the days, by its name at IANA, for example America/Sao_Paulo; in any case.",
    ),
    query("provider", PROVIDER, "Only this provider's, by its code."),
    query("type", named("Product"), "Only this product."),
    query("format", { ...choice(["json", "csv"]), default: "json" }, "`csv` has no envelope."),
  ],
  success: {
    message: SUCCESS_TEXTS.ggr,
    data: named("GgrReport"),
    examples: {
      month: {
        summary: "A month by day",
        data: {
          currency: "BRL",
          tz: "America/Sao_Paulo",
          group_by: "day",
          rows: [{ key: "2026-01-01", ...totals }],
          totals,
          as_of: "2026-02-01T03:00:00.000Z",
        },
      },
    },
    streams: {
      "text/csv": {
        schema: { type: "string" },
        example:
          "key,bets,bets_count,refunds,refunds_count,wins,wins_count,rollbacks,rollbacks_count,ggr,pending_count,pending_bets,pending_refunds,pending_wins,pending_rollbacks\r\n",
      },
    },
  },
};

export const ggrSchemas: Readonly<Record<string, Schema>> = {
  GgrReport: object({
    currency: described("Currency", "Your merchant's."),
    tz: text("The time zone of the days."),
    group_by: named("GgrGrouping"),
    rows: array(named("GgrRow")),
    totals: named("GgrTotals"),
    as_of: time("The time of the snapshot that the whole report is read from."),
  }),
  GgrGrouping: oneOf("The meaning of a row's key.", GROUP),
  GgrRow: object({ key: text("The day, provider, game, type or player, as `group_by` says."), ...sums }),
  GgrTotals: object(sums),
};
export const ggrOperations = [ggr];
