import { KIND_NAMES } from "../../../contract/transactions/kinds.ts";
import type { FieldFault, Result } from "../../domain/errors.ts";
import { ok } from "../../domain/errors.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { ListedTransaction, TransactionQuery } from "../../ports/transactions/transaction-reader.ts";
import { readCursor, writeCursor } from "../merchant/cursor.ts";
import { refuseFaults } from "./changes.ts";
import type { PageRequest } from "./page.ts";

const LISTING = "support";
const LIMIT = { standard: 50, max: 200 };
const DAY_MS = 86_400_000;
const ACTIONS = ["bet", "win", "refund", "rollback"] as const;
const STATUSES = ["pending", "success", "failed"] as const;
const NAMES = [
  "from",
  "to",
  "status",
  "action",
  "kind",
  "playerId",
  "roundId",
  "txId",
  "refTxId",
  "provider",
  "game",
] as const;

/** Which transactions are listed. undefined: the field excludes no transaction. */
export interface TransactionListFilter
  extends Pick<TransactionQuery, "from" | "to" | "playerId" | "roundId" | "txId" | "refTxId" | "provider" | "game"> {
  readonly status?: string | undefined;
  readonly action?: string | undefined;
  readonly kind?: string | undefined;
}

interface TransactionListRequest {
  /** The filter that the listing has had since its first page, and the position where this page begins. */
  readonly query: Omit<TransactionQuery, "merchantId">;
  /** The same filter by the API's field names, for the audit log. */
  readonly chosen: readonly { readonly field: string; readonly to: string | number }[];
  readonly limit: number;
  readonly cursorBehind: (last: ListedTransaction) => string;
}

type Choice = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

/**
 * Reads which page of a merchant's transactions is requested. A cursor contains the filter of its listing. Other fields
 * of the request may only repeat this filter. If the filter has no id, no player and no `from`, the listing begins 24
 * hours before `to`, or 24 hours before now.
 *
 * @param now - reads the database's time. It is called only if that time is needed.
 */
export async function readTransactionsPage(
  merchant: string,
  wanted: TransactionListFilter,
  pageRequest: PageRequest,
  now: () => Promise<DbTime>,
): Promise<Result<TransactionListRequest>> {
  const begun =
    pageRequest.cursor === ""
      ? [choiceFrom(await complete(wanted, now))]
      : readCursor(LISTING, merchant, pageRequest.cursor);
  const [choice = {}, position] = (begun ?? []) as readonly [Choice?, Readonly<Record<string, string>>?];
  const { from, to, status, action, kind, ...filter } = choice;
  const known = {
    status: STATUSES.find((one) => one === status),
    action: ACTIONS.find((one) => one === action),
    kind: KIND_NAMES.find((one) => one === kind),
  };
  const given = choiceFrom(wanted);
  const faults: FieldFault[] = [
    ...(pageRequest.limit <= LIMIT.max ? [] : [fieldFault("limit", `1 to ${LIMIT.max}`)]),
    ...(begun === undefined
      ? [fieldFault("cursor", "a next_cursor of this listing")]
      : NAMES.filter((name) => given[name] !== undefined && given[name] !== choice[name]).map((name) =>
          fieldFault(wireName(name), "as in the listing that the cursor continues"),
        )),
    ...(known.status === status ? [] : [fieldFault("status", STATUSES.join(", "))]),
    ...(known.action === action ? [] : [fieldFault("action", ACTIONS.join(", "))]),
    ...(known.kind === kind ? [] : [fieldFault("kind", KIND_NAMES.join(", "))]),
  ];
  if (faults.length > 0) return refuseFaults(faults);
  const [since, until] = [timeOf(from), timeOf(to)];
  const after =
    position === undefined
      ? undefined
      : { createdAt: timeOf(position.created_at) ?? 0, id: BigInt(timeOf(position.id) ?? 0) };
  const values = { ...choice, from: since, to: until };
  return ok({
    query: { ...filter, ...known, from: since, to: until, order: "desc", after },
    chosen: NAMES.flatMap((name) => (values[name] === undefined ? [] : [{ field: wireName(name), to: values[name] }])),
    limit: pageRequest.limit === 0 ? LIMIT.standard : pageRequest.limit,
    cursorBehind: ({ id, transaction }) =>
      writeCursor(LISTING, merchant, [choice, { created_at: String(transaction.createdAt), id: String(id) }]),
  });
}

/** The filter, completed with the time at which the listing begins. So this time is the same for every page. */
async function complete(filter: TransactionListFilter, now: () => Promise<DbTime>): Promise<TransactionListFilter> {
  const isNamed = (filter.txId ?? filter.roundId ?? filter.refTxId ?? filter.playerId) !== undefined;
  return isNamed || filter.from !== undefined
    ? filter
    : { ...filter, from: Math.max(0, (filter.to ?? (await now())) - DAY_MS) };
}

const choiceFrom = (filter: TransactionListFilter): Choice =>
  Object.fromEntries(NAMES.filter((name) => filter[name] !== undefined).map((name) => [name, String(filter[name])]));

/** Writes the name `roundId` as `round_id`. */
const wireName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** The time, or the row id, in a cursor. undefined: it is not a number, so the service did not create this cursor. */
const timeOf = (text: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
