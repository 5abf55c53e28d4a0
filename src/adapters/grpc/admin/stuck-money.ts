import { type ShowStuckMoney, STUCK_AGES } from "../../../app/console/stuck-money.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { SPORTSBOOK } from "../../../domain/catalog/provider.ts";
import { type ProviderCode, wireTxId } from "../../../domain/values/identifiers.ts";
import type { ConsoleService } from "../../../gen/aggregator/admin/v1/console_service_pb.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";
import { transactionOf } from "./transactions.ts";

/** The rpcs of ConsoleService about stuck money. */
export function stuckMoneyHandlers(
  stuck: ShowStuckMoney,
  settings: Settings,
): Pick<AdminHandlers<typeof ConsoleService>, "getStuckMoney" | "listStuckMoney"> {
  const toTransaction = transactionOf(settings);
  return {
    async getStuckMoney({ merchant }) {
      const { asOf, sums, complete } = unwrap(await stuck.totals(merchant));
      return {
        asOf: toTimestamp(asOf),
        sums: sums.map(({ kind, merchant: { code, currency }, players, ages, more }) => ({
          kind,
          merchant: code,
          currency,
          players,
          ages: ages.map(({ count, sumMinor }, i) => ({
            olderThanS: (STUCK_AGES[i] as number) / 1_000,
            count,
            amountMinor: sumMinor,
          })),
          more,
        })),
        complete,
      };
    },
    async listStuckMoney({ olderThanS, ...asked }, caller) {
      const page = await stuck.list({ ...caller, reason: "" }, { ...asked, olderThanMs: olderThanS * 1_000 });
      const { transactions, slips, nextCursor } = unwrap(page);
      return {
        items: [
          ...transactions.map((one) => ({ transaction: toTransaction(one) })),
          ...slips.map(({ merchantId, firstTxId, createdAt, ...slip }) => ({
            slip: {
              ...slip,
              merchant: settings.merchantById(merchantId)?.code ?? "",
              txId: wireTxId(SPORTSBOOK as ProviderCode, firstTxId),
              createdAt: toTimestamp(createdAt),
            },
          })),
        ],
        nextCursor,
      };
    },
  };
}
