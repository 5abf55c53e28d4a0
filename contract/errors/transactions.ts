/** The codes of requests for transactions and sessions. */
import type { ErrorRow } from "./row.ts";

export const TRANSACTIONS = {
  TRANSACTION_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "the merchant has no transaction with this id",
    text: { pt: "Transação não encontrada.", es: "Transacción no encontrada.", en: "The transaction was not found." },
    merchants: { kit: "not_found", details: { field: "tx_id" } },
    administration: {
      advice:
        "transaction list shows the merchant's transactions. A wire id begins with the provider's code, as in ACME:17.",
    },
    console: {
      pt: "Este operador não tem essa transação.",
      es: "Este operador no tiene esa transacción.",
      en: "This merchant has no such transaction.",
    },
  },
  ROUND_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "the merchant has no such round",
    text: { pt: "Rodada não encontrada.", es: "Ronda no encontrada.", en: "The round was not found." },
    merchants: { kit: "not_found" },
  },
  TRANSACTION_MISMATCH: {
    http: 409,
    grpc: "ALREADY_EXISTS",
    retry: "never",
    meaning: "a used id with other content, or a reversal that contradicts its reference; `field` names the difference",
    providers: {
      remark: "the id was used with other content; `field` names the first field that differs",
    },
    sportsbook: {
      bets: "the id was used with other content; `field` names the first field that differs",
    },
  },
  TRANSACTION_REVERSED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "a bet whose refund came first or succeeded; or a win whose rollback came first or succeeded",
    providers: {},
    sportsbook: {
      bets: "only in `error` of a bet in a slip",
    },
  },
  BET_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "a win names a bet that is unknown, or that was rejected",
    providers: {
      remark: "a win names a bet that is unknown or was rejected",
    },
  },
  BET_PENDING: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "same_request",
    meaning:
      "a win names a bet whose result is not known yet: repeat the bet until it is final, then send the win again",
    providers: {
      remark: "the result of the named bet is not known yet",
    },
  },
  BET_SETTLED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning:
      "a second settlement of a bet under another id, or a refund with `unless_settled` of a settled bet; the metadata `settled_by` names the settlement",
    providers: {
      remark: "the metadata `settled_by` has the wire id of the settlement",
    },
  },
  ROUND_ENDED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "a new bet in a round that its provider has ended",
    providers: {
      remark: "a new bet in a round that has ended",
    },
  },
  INVALID_AMOUNT: {
    http: 422,
    grpc: "INVALID_ARGUMENT",
    retry: "never",
    meaning: "the amount is negative or too large. Amounts are never rounded",
    providers: {},
    sportsbook: { bets: "" },
  },
  NOT_RESENDABLE: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the transaction is not a pending or failed credit, or it is a win that its rollback holds",
    text: {
      pt: "A transação não pode ser reenviada.",
      es: "La transacción no se puede reenviar.",
      en: "The transaction cannot be sent again.",
    },
    merchants: {
      kit: "conflict",
      details: { field: "status" },
    },
    administration: {
      advice:
        "Only a pending or failed win or refund can be sent again, and not a win that waits for its rollback. transaction show prints the state of this one.",
    },
    console: {
      pt: "Só se reenvia um prêmio ou reembolso pendente ou falho, e não um prêmio que espera a sua reversão.",
      es: "Solo se reenvía un premio o reembolso pendiente o fallido, y no un premio que espera su reversión.",
      en: "Only a pending or failed win or refund can be sent again, and not a win that waits for its rollback.",
    },
  },
  SESSION_NOT_FOUND: {
    http: 404,
    grpc: "NOT_FOUND",
    retry: "never",
    meaning: "`session_id` or `player_ref` is unknown or belongs to another provider",
    providers: {
      remark: "the session is unknown or belongs to another provider",
    },
    sportsbook: {
      bets: "the session is unknown or belongs to another provider",
      sessions: "the session is unknown or belongs to another provider",
    },
  },
  SESSION_EXPIRED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the session accepts no new bets",
    providers: { remark: "for a bet" },
    sportsbook: {
      bets: "for a slip",
      sessions: "for GetSession",
    },
  },
  DEMO_SESSION: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "a demo has no wallet: its play money is the provider's own matter",
    providers: {},
  },
  TOKEN_USED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the launch token was exchanged before: the player needs another launch",
    sportsbook: {
      sessions: "the player needs another launch",
    },
  },
  TOKEN_EXPIRED: {
    http: 409,
    grpc: "FAILED_PRECONDITION",
    retry: "never",
    meaning: "the launch token is more than 10 minutes old: the player needs another launch",
    sportsbook: {
      sessions: "the player needs another launch",
    },
  },
} as const satisfies Record<string, ErrorRow>;
