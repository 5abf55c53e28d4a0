import { KIND_NAMES, KIND_SUMS } from "../../../../contract/transactions/kinds.ts";
import { GROUPINGS, MERCHANT_GROUPINGS, type MerchantGrouping } from "../../../../contract/values/groupings.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { DATE, PROVIDER, TIME_ZONE } from "./forms.ts";
import { csvDialect, type Described, query } from "./operation.ts";
import { amount, array, choice, count, described, named, object, oneOf, type Schema, text, time } from "./schema.ts";

const GROUP = Object.fromEntries(MERCHANT_GROUPINGS.map((name) => [name, GROUPINGS[name].key])) as Record<
  MerchantGrouping,
  string
>;

const sum = (what: string): Schema => amount(`${what}, in the major unit.`);
const sums = {
  bets: sum("The sum of the bets"),
  bets_count: count("The number of bets."),
  refunds: sum("The sum of the refunds of bets"),
  refunds_count: count("The number of refunds."),
  wins: sum("The sum of the wins"),
  wins_count: count("The number of wins."),
  rollbacks: sum("The sum of the rollbacks of wins"),
  rollbacks_count: count("The number of rollbacks."),
  ggr: sum("The gross gaming revenue: (bets - refunds) - (wins - rollbacks)"),
  pending: named("Pending"),
  of_which: array(named("KindSum"), {
    description:
      "The bets and wins that have a kind, one item for each kind. They are a part of `bets` and `wins`, so they do not change `ggr`. Absent: no bet or win has a kind.",
  }),
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
  of_which: [
    { action: "bet", kind: "tip", count: 4, amount: 20.5 },
    { action: "win", kind: "jackpot", count: 1, amount: 500 },
  ],
};

const KIND_COLUMNS = KIND_SUMS.flatMap(({ column }) => [column, `${column}_count`]).join();

const ggr: Described = {
  method: "get",
  path: "/v1/reports/ggr",
  id: "reportGgr",
  tag: "Reports",
  summary: "Gross gaming revenue",
  description:
    "Only transactions with the status `success` count. Each counts on the day of its `created_at`. So the report equals the sums of `GET /v1/transactions?status=success` over the same interval to the last minor unit. " +
    "If a transaction becomes a success later, the sums of its day change. A day whose `pending.count` is 0 changes only in two cases: a failed win or refund succeeds later, or your wallet accepts the reversal of a failed bet or win. " +
    "A day without transactions has no row. With `format=csv` the same fields are columns, and the fields of `pending` are the columns pending_count, pending_bets and so on. Each kind of bets and wins has two columns behind them, such as bets_tip and bets_tip_count. Later releases may add columns at the end.",
  parameters: [
    query("from", DATE, "The first day of the report.", { required: true, example: "2026-01-01" }),
    query(
      "to",
      DATE,
      "The last day of the report, which is included. From `from` to `to` there are at most 92 days, counting both.",
      {
        required: true,
        example: "2026-01-31",
      },
    ),
    query("group_by", named("GgrGrouping"), "What each row stands for. The default is `day`."),
    query(
      "tz",
      { ...TIME_ZONE, default: "UTC" },
      "The time zone of the days, by its IANA name such as America/Sao_Paulo, in upper or lower case.",
    ),
    query("provider", PROVIDER, "Only transactions of the provider with this code."),
    query("type", named("Product"), "Only transactions of this product."),
    query(
      "format",
      { ...choice(["json", "csv"]), default: "json" },
      "`csv` returns the rows alone, without the envelope.",
    ),
    csvDialect,
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
        example: `key,bets,bets_count,refunds,refunds_count,wins,wins_count,rollbacks,rollbacks_count,ggr,pending_count,pending_bets,pending_refunds,pending_wins,pending_rollbacks,${KIND_COLUMNS}\r\n`,
      },
    },
  },
};

export const ggrSchemas: Readonly<Record<string, Schema>> = {
  GgrReport: object({
    currency: described("Currency", "Your merchant's currency."),
    tz: text("The time zone of the days."),
    group_by: named("GgrGrouping"),
    rows: array(named("GgrRow")),
    totals: named("GgrTotals"),
    as_of: time("The time of the database snapshot from which the whole report is read."),
  }),
  GgrGrouping: oneOf("The meaning of a row's key.", GROUP),
  GgrRow: object(
    {
      key: text("The day, provider, game, type or player that the row stands for, as `group_by` says."),
      ...sums,
    },
    ["of_which"],
  ),
  GgrTotals: object(sums, ["of_which"]),
  KindSum: object({
    action: choice(["bet", "win"]),
    // A list of values would make generated clients refuse a kind of a later release.
    kind: text(
      `What the money is for. Later releases may add kinds, so accept every text. ${KIND_NAMES.map((kind) => `\`${kind}\``).join(", ")}.`,
    ),
    count: count("The number of bets or wins of this kind."),
    amount: sum("The sum of the bets or wins of this kind"),
  }),
};
export const ggrOperations = [ggr];
