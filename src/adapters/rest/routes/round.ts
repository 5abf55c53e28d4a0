import type { Round, Transactions } from "../../../app/merchant/transactions.ts";
import { readRoundQuery } from "../../../app/merchant/transactions-query.ts";
import { ok } from "../../../domain/errors.ts";
import type { ActionSums } from "../../../domain/transaction/round.ts";
import { formatInstant } from "../../../domain/values/instant.ts";
import type { Currency } from "../../../domain/values/money.ts";
import { decimal } from "../replies/decimal.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { transactionItem } from "../replies/transaction-item.ts";
import { anyText } from "../requests/query.ts";
import { route } from "../route.ts";

/** The route of GET /v1/rounds/{provider}/{round_id}. */
export const showRound = (transactions: Transactions) =>
  route({
    method: "GET",
    path: "/v1/rounds/{provider}/{round_id}",
    query: { limit: anyText, cursor: anyText },
    read: ({ merchant, path: { provider = "", round_id = "" }, query }) =>
      readRoundQuery(merchant.code, { provider, roundId: round_id, ...query }),
    answer: async ({ merchant, query }) => {
      const found = await transactions.round(merchant, query);
      if (!found.ok) return found;
      const { items, sums, end, nextCursor } = found.value;
      const data = {
        provider: query.provider,
        round_id: query.roundId,
        state: end.state,
        ended_at: end.state === "ended" ? formatInstant(end.endedAt) : null,
        items: items.map(transactionItem),
        sums: sumsItem(sums, merchant.currency),
        next_cursor: nextCursor,
      };
      return ok({ message: SUCCESS_TEXTS.round, data });
    },
  });

const sumsItem = ({ success, pending }: Round["sums"], currency: Currency) => ({
  ...amounts(success, currency),
  pending: { count: pending.count, ...amounts(pending, currency) },
});

const amounts = ({ bet, refund, win, rollback }: ActionSums, currency: Currency) => ({
  bets: decimal(bet, currency),
  refunds: decimal(refund, currency),
  wins: decimal(win, currency),
  rollbacks: decimal(rollback, currency),
});
