import type { MessageInitShape } from "@bufbuild/protobuf";
import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import { type GgrSums, ggrMinor, kindSums, pendingCount, type Sum } from "../../../domain/transaction/report.ts";
import type {
  GgrRowSchema,
  GgrSumSchema,
  ReportService,
} from "../../../gen/aggregator/operator/v1/report_service_pb.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.operator.v1.ReportService. */
export const operatorReport = (onBehalf: OnBehalf): AdminHandlers<typeof ReportService> => ({
  async getGgrReport({ merchant, currency, from, to, groupBy, tz, provider, type }, caller) {
    const fields = withoutEmpty({ from, to, group_by: groupBy, tz, provider, type });
    const report = unwrap(await onBehalf.ggr({ ...caller, reason: "" }, { merchant, currency }, fields));
    return {
      currency: report.currency,
      tz: report.timeZone,
      groupBy: report.groupBy,
      rows: report.rows.map((row) => ({ key: row.key, name: onBehalf.groupName(report, row.key), ...toSums(row) })),
      totals: toSums(report.totals),
      asOf: toTimestamp(report.asOf),
    };
  },
});

function toSums(sums: GgrSums): MessageInitShape<typeof GgrRowSchema> {
  const { success, pending } = sums;
  return {
    bets: toSum(success.bet),
    refunds: toSum(success.refund),
    wins: toSum(success.win),
    rollbacks: toSum(success.rollback),
    ggrMinor: ggrMinor(sums),
    pending: {
      count: pendingCount(sums),
      betsMinor: pending.bet.minor,
      refundsMinor: pending.refund.minor,
      winsMinor: pending.win.minor,
      rollbacksMinor: pending.rollback.minor,
    },
    ...(sums.ofWhich.length > 0 && {
      ofWhich: { sums: kindSums(sums).map(({ minor, ...sum }) => ({ ...sum, amountMinor: minor })) },
    }),
  };
}

const toSum = ({ count, minor }: Sum): MessageInitShape<typeof GgrSumSchema> => ({ count, amountMinor: minor });
