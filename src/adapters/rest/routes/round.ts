import type { Round, Transactions } from "../../../app/merchant/transactions.ts";
import type { RoundQuery } from "../../../app/merchant/transactions-query.ts";
import { ok } from "../../../domain/errors.ts";
import type { ActionSums } from "../../../domain/transaction/round.ts";
import type { Currency } from "../../../domain/values/money.ts";
import { decimal } from "../replies/decimal.ts";
import { transactionItem } from "../replies/transaction-item.ts";
import { anyText } from "../requests/query.ts";
import { route } from "../route.ts";

/** GET /v1/rounds/{provider}/{round_id} */
export const showRound = (transactions: Transactions) =>
  route({
    method: "GET",
    path: "/v1/rounds/{provider}/{round_id}",
    query: { limit: anyText, cursor: anyText },
    faults: ({ merchant, path, query }) => transactions.roundFaults(merchant, asked(path, query)),
    answer: async ({ merchant, path, query }) => {
      const round = asked(path, query);
      const found = await transactions.round(merchant, round);
      if (!found.ok) return found;
      const { items, sums, nextCursor } = found.value;
      const data = { provider: round.provider, round_id: round.roundId, items: items.map(transactionItem), sums: sumsItem(sums, merchant.currency) };
      return ok({ message: "Rodada.", data: { ...data, next_cursor: nextCursor } });
    },
  });

const asked = ({ provider = "", round_id = "" }: Readonly<Record<string, string>>, query: Pick<RoundQuery, "limit" | "cursor">): RoundQuery => ({
  ...query,
  ...{ provider, roundId: round_id },
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
