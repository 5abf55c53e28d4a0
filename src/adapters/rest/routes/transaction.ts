import type { Transactions } from "../../../app/merchant/transactions.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { attemptItem, transactionItem } from "../replies/transaction-item.ts";
import { route } from "../route.ts";

/** The route of GET /v1/transactions/{tx_id}. */
export const showTransaction = (transactions: Transactions) =>
  route({
    method: "GET",
    path: "/v1/transactions/{tx_id}",
    query: {},
    answer: async ({ merchant, path: { tx_id = "" } }) => {
      const found = await transactions.show(merchant, tx_id);
      return found.ok
        ? ok({
            message: SUCCESS_TEXTS.transaction,
            data: { ...transactionItem(found.value), attempt_log: found.value.log.map(attemptItem) },
          })
        : found;
    },
  });

/** The route of POST /v1/transactions/{tx_id}/resend. */
export const resendTransaction = (transactions: Transactions) =>
  route({
    method: "POST",
    path: "/v1/transactions/{tx_id}/resend",
    query: {},
    bodyIsOptional: true,
    read: ({ body, query }) => {
      const unknown = Object.keys(body).map((field) => ({ field, rule: "unknown", message: FAULT_TEXTS.unknownField }));
      return unknown.length > 0 ? refuse("VALIDATION_ERROR", { details: unknown }) : ok(query);
    },
    answer: async ({ merchant, path: { tx_id = "" } }) => {
      const resent = await transactions.resend(merchant, tx_id);
      return resent.ok
        ? ok({ status: 202, message: SUCCESS_TEXTS.resend, data: transactionItem(resent.value) })
        : resent;
    },
  });
