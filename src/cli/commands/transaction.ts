import type { JsonObject } from "@bufbuild/protobuf";
import { KIND_NAMES } from "../../../contract/transactions/kinds.ts";
import { AttemptSchema, TransactionSchema } from "../../gen/aggregator/admin/v1/transaction_pb.ts";
import { choice, required, text, time } from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput } from "../output/command-output.ts";
import { majorUnits } from "../output/major-units.ts";
import { plain } from "../output/plain.ts";
import { cursor, limit, reason } from "./common-flags.ts";

const merchant = required(text("code", "The merchant's code", "shop-brl"));
const txId = text("id", "The wire id: <PROVIDER>:<the provider's own id>", "ACME:17");
const which = { merchant, txId: required(txId) };

/** The transaction for people, with amounts in the major unit. */
const readable = ({ amount_minor: amount = null, balance_minor: balance = null, ...all }: JsonObject): JsonObject => {
  const major = (minor: number): string => `${majorUnits(minor, String(all.currency))} ${all.currency}`;
  return { ...all, amount: major(Number(amount)), balance: balance === null ? null : major(Number(balance)) };
};

export const transaction: Noun = {
  summary: "Support of wallet transactions; the audit log records who reads them",
  verbs: {
    show: command({
      summary: "Shows a transaction with its wallet calls",
      flags: which,
      examples: ["--merchant shop-brl --tx-id ACME:17"],
      run: async (api, given) => {
        const found = await api.transaction.getTransaction(given);
        const { record, ...rest } = recordOutput(TransactionSchema, found.transaction, {
          readable,
          tables: {
            attempt_log: ["n", "at", "duration_ms", "http_status", "result", "request_id", "reply_start", "error"],
          },
        });
        return {
          ...rest,
          record: { ...record, attempt_log: found.attemptLog.map((attempt) => plain(AttemptSchema, attempt)) },
        };
      },
    }),
    list: command({
      summary: "Lists a merchant's transactions, newest first",
      notes: "Without --from, an id or a player, the list covers the last 24 hours.",
      flags: {
        merchant,
        status: choice("Only transactions with this status", "pending", "success", "failed"),
        action: choice("Only transactions with this action", "bet", "win", "refund", "rollback"),
        kind: choice("Only bets and wins of this kind", ...KIND_NAMES),
        from: time("Only transactions created at or after this time", "2026-01-31"),
        to: time("Only transactions created before this time", "2026-02-01T00:00:00Z"),
        playerId: text("id", "Only transactions of the player with this id, which is the merchant's own id", "u-1"),
        roundId: text("id", "Only transactions of this round", "r-77"),
        txId,
        refTxId: text("id", "Only the reversals of the transaction with this wire id", "ACME:17"),
        provider: text("code", "Only transactions of this provider", "ACME"),
        game: text("code", "Only transactions of this game", "fruits"),
        limit: limit(50, 200),
        cursor,
      },
      examples: [
        "--merchant shop-brl --status pending",
        "--merchant shop-brl --player-id u-1 --from 2026-01-31 --to 2026-02-01 --json",
      ],
      run: async (api, given) => {
        const { transactions, nextCursor } = await api.transaction.listTransactions(given);
        const columns = [
          "created_at",
          "tx_id",
          "action",
          "amount",
          "status",
          "error",
          "attempts",
          "last_result",
          "player_id",
          "game",
        ];
        return listOutput(TransactionSchema, transactions, nextCursor, columns, readable);
      },
    }),
    resend: command({
      summary: "Sends a pending or failed win or refund again, now",
      notes:
        "It has the same id and content as before. So a wallet that has applied it already only repeats its answer.",
      flags: { ...which, reason: required(reason) },
      examples: ["--merchant shop-brl --tx-id ACME:17 --reason 'the wallet is back, ticket 4711'"],
      run: async (api, given) =>
        recordOutput(TransactionSchema, (await api.transaction.resendTransaction(given)).transaction, {
          sentence: `${given.txId} is due now.`,
          readable,
        }),
    }),
    resolve: command({
      summary: "Closes a pending transaction by hand, with evidence from the merchant",
      notes:
        "Use it only when nothing else can close it. The transaction must have been pending for longer than RESEND_HORIZON_HOURS. Closing a refund or rollback also closes the pending transaction that it reverses.",
      flags: {
        ...which,
        status: required(
          choice(
            "What the merchant's records show: its wallet applied the transaction, or did not",
            "success",
            "failed",
          ),
        ),
        reason: required({
          ...reason,
          help: "The evidence, for the audit log",
          example: "'statement of 31 January, ticket 4711'",
        }),
      },
      examples: [
        "--merchant shop-brl --tx-id ACME:17 --status success --reason 'statement of 31 January, ticket 4711'",
      ],
      run: async (api, given) => {
        const { transaction: closed, reversed } = await api.transaction.resolveTransaction(given);
        const sentence = `${given.txId} is closed: ${given.status}.${reversed === undefined ? "" : ` So is the transaction that it reverses: ${reversed.txId}.`}`;
        const { record, ...rest } = recordOutput(TransactionSchema, closed, { sentence, readable });
        return {
          ...rest,
          record: { ...record, reversed: reversed === undefined ? null : plain(TransactionSchema, reversed) },
        };
      },
    }),
    "close-contradiction": command({
      summary: "Takes a transaction off the list of contradictions, with evidence from the merchant",
      notes: "It changes neither the transaction nor a sum, and sends nothing to the wallet.",
      flags: {
        ...which,
        evidence: required(
          text("text", "What the merchant's records show, for the audit log", "'one debit on 31 January, ticket 4711'"),
        ),
        reason: required({ ...reason, help: "How it was solved, for the audit log" }),
      },
      examples: [
        "--merchant shop-brl --tx-id ACME:17 --evidence 'one debit, statement of 31 January' --reason 'ticket 4711'",
      ],
      run: async (api, given) =>
        recordOutput(TransactionSchema, (await api.transaction.closeContradiction(given)).transaction, {
          sentence: `The contradiction of ${given.txId} is closed.`,
          readable,
        }),
    }),
  },
};
