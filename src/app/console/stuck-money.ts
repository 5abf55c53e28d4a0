import { ok, type Result } from "../../domain/errors.ts";
import { STUCK_KINDS } from "../../domain/transaction/stuck.ts";
import { type DbTime, isCredit } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type {
  StuckMoney,
  StuckNotes,
  StuckPosition,
  StuckQuery,
  StuckSlip,
  StuckSums,
  StuckTransaction,
} from "../../ports/transactions/stuck-money.ts";
import { type AdminRequest, auditEntry, refuseFaults } from "../admin/changes.ts";
import { findMerchant } from "../admin/find-merchant.ts";
import { readCursor, writeCursor } from "../merchant/cursor.ts";
import type { Settings } from "../runtime/settings.ts";

/** The maximum of merchants in one question, because each of them needs look-ups. */
const MERCHANTS_MAX = 1_024;
/** What can be listed. `open`: every pending transaction whose first call has ended, stuck or not. */
const LISTED_KINDS = [...STUCK_KINDS, "open"] as const;
type ListedKind = (typeof LISTED_KINDS)[number];
const LIMIT = { standard: 50, max: 200 };
/** The maximum of rows that one page reads if it shows only some of them. */
const EXAMINED_MAX = 200;
const DAY_MS = 24 * 3_600_000;

/** The minimum ages of the sums, in ms. */
export const STUCK_AGES: readonly number[] = [0, DAY_MS, 7 * DAY_MS, 30 * DAY_MS];

interface StuckTotals {
  readonly asOf: DbTime;
  readonly sums: readonly (StuckSums & { readonly merchant: Merchant })[];
  /** Whether every change was examined. */
  readonly complete: boolean;
}

interface StuckListRequest {
  readonly kind: string;
  /** A merchant's code; empty: all merchants. */
  readonly merchant: string;
  readonly olderThanMs: number;
  /** 0 means 50. */
  readonly limit: number;
  readonly cursor: string;
}

/** A page has either transactions or slips. */
interface StuckPage {
  readonly transactions: readonly StuckTransaction[];
  readonly slips: readonly StuckSlip[];
  readonly nextCursor: string;
}

/** Shows the credits that players wait for, and money that needs a person. */
export class ShowStuckMoney {
  readonly #stuck: StuckMoney;
  readonly #notes: StuckNotes;
  readonly #audit: AdminStore;
  readonly #settings: Settings;
  readonly #horizonMs: number;

  constructor(
    stuck: StuckMoney,
    notes: StuckNotes,
    audit: AdminStore,
    settings: Settings,
    { horizonMs }: { readonly horizonMs: number },
  ) {
    this.#stuck = stuck;
    this.#notes = notes;
    this.#audit = audit;
    this.#settings = settings;
    this.#horizonMs = horizonMs;
  }

  /**
   * The sums of a merchant, or of all merchants if `code` is empty, in the order of kinds and merchants. Refusals:
   * VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`). Throws StoreUnavailable.
   */
  async totals(code: string): Promise<Result<StuckTotals>> {
    const merchants = await this.#merchants(code);
    if (!merchants.ok) return merchants;
    const byId = new Map(merchants.value.map((merchant) => [merchant.id, merchant]));
    const [found, complete] = await Promise.all([
      this.#stuck.sums([...byId.keys()], STUCK_AGES, this.#horizonMs, STUCK_KINDS),
      this.#notes.isComplete(),
    ]);
    const sums = found
      .map((sum) => ({ ...sum, merchant: byId.get(sum.merchantId) as Merchant }))
      .sort(
        (a, b) =>
          STUCK_KINDS.indexOf(a.kind) - STUCK_KINDS.indexOf(b.kind) || inOrder(a.merchant.code, b.merchant.code),
      );
    return ok({ asOf: this.#settings.databaseNow(), sums, complete });
  }

  /**
   * One page of one kind, merchant by merchant in the order of their codes, and of each merchant the oldest first. Of
   * `retrying` and `open` the next to be sent comes first. A page may be short or empty although another one follows.
   * Refusals: VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`). Throws StoreUnavailable.
   */
  async list(request: AdminRequest, asked: StuckListRequest): Promise<Result<StuckPage>> {
    const { merchant, olderThanMs } = asked;
    const kind = LISTED_KINDS.find((one) => one === asked.kind);
    const filter = `${asked.kind}/${merchant}/${olderThanMs}`;
    const after = asked.cursor === "" ? null : positionOf(kind, readCursor("stuck money", filter, asked.cursor));
    const faults = [
      ...(kind === undefined ? [fieldFault("kind", `one of ${LISTED_KINDS.join(", ")}`)] : []),
      ...(asked.limit <= LIMIT.max ? [] : [fieldFault("limit", `1 to ${LIMIT.max}`)]),
      ...(after === undefined ? [fieldFault("cursor", "a next_cursor of this listing")] : []),
    ];
    if (faults.length > 0 || kind === undefined || after === undefined) return refuseFaults(faults);
    const merchants = await this.#merchants(merchant);
    if (!merchants.ok) return merchants;
    const target = merchant === "" ? "all merchants" : `merchant ${merchant}`;
    await this.#audit.record(auditEntry(request, "transaction stuck", target, [{ field: "kind", to: kind }]));
    const left = after === null ? merchants.value : merchants.value.filter(({ code }) => code >= after.merchant);
    const query = {
      merchantIds: left.map(({ id }) => id),
      olderThanMs,
      after: after !== null && left[0]?.code === after.merchant ? after : undefined,
    };
    const limit = asked.limit === 0 ? LIMIT.standard : asked.limit;
    return ok(await this.#page(kind, query, limit, filter));
  }

  async #page(
    kind: ListedKind,
    query: Parameters<StuckMoney["slips"]>[0],
    limit: number,
    filter: string,
  ): Promise<StuckPage> {
    const cursorOf = (last: (StuckPosition & { readonly merchantId: number }) | undefined): string => {
      if (last === undefined) return "";
      const merchant = this.#settings.merchantById(last.merchantId)?.code ?? "";
      return writeCursor("stuck money", filter, [merchant, String(last.at), last.id]);
    };
    if (kind === "slip") {
      const slips = await this.#stuck.slips(query, limit + 1);
      const last = slips.length > limit ? slips[limit - 1] : undefined;
      const nextCursor = cursorOf(last && { merchantId: last.merchantId, at: last.createdAt, id: last.slipId });
      return { transactions: [], slips: slips.slice(0, limit), nextCursor };
    }
    const { asKind, isShown } = this.#filterOf(kind, query.olderThanMs);
    const most = isShown === undefined ? limit + 1 : EXAMINED_MAX;
    const examined = await this.#stuck.list({ ...query, kind: asKind, horizonMs: this.#horizonMs }, most);
    const found = isShown === undefined ? examined : examined.filter(isShown);
    const last = found.length > limit ? found[limit - 1] : examined.length === most ? examined.at(-1) : undefined;
    const nextCursor = cursorOf(
      last && {
        merchantId: last.transaction.merchantId,
        at: isDue(kind) ? (last.transaction.nextAt ?? 0) : last.transaction.createdAt,
        id: String(last.id),
      },
    );
    return { transactions: found.slice(0, limit), slips: [], nextCursor };
  }

  /** How the rows of a kind are found: the kind that the store lists, and which of those rows are shown; undefined: all. */
  #filterOf(kind: Exclude<ListedKind, "slip">, olderThanMs: number) {
    const createdTo = this.#settings.databaseNow() - olderThanMs;
    const isOld = ({ transaction }: StuckTransaction): boolean => transaction.createdAt <= createdTo;
    const filters: Partial<Record<ListedKind, (one: StuckTransaction) => boolean>> = {
      unanswered: ({ transaction }) => isCredit(transaction.action),
      pending: ({ transaction }) => !isCredit(transaction.action),
      ...(olderThanMs > 0 && { retrying: isOld, open: isOld }),
    };
    const asKind: StuckQuery["kind"] = kind === "unanswered" ? "pending" : kind;
    return { asKind, isShown: filters[kind] };
  }

  /** The merchants in the order of their codes. */
  async #merchants(code: string): Promise<Result<readonly Merchant[]>> {
    if (code !== "") {
      const merchant = await findMerchant(this.#settings, code);
      return merchant.ok ? ok([merchant.value]) : merchant;
    }
    const all = this.#settings.merchants();
    return all.length <= MERCHANTS_MAX
      ? ok([...all].sort((a, b) => inOrder(a.code, b.code)))
      : refuseFaults([fieldFault("merchant", `one merchant, because there are more than ${MERCHANTS_MAX}`)]);
  }
}

/** Whether the transactions of a kind are in the order of their due times. */
const isDue = (kind: ListedKind): boolean => kind === "retrying" || kind === "open";

const inOrder = (a: string, b: string): number => (a < b ? -1 : a === b ? 0 : 1);

/** The position of a cursor, which a caller may have made up. undefined: it is not one of this kind. */
function positionOf(
  kind: ListedKind | undefined,
  parts: ReturnType<typeof readCursor>,
): (StuckPosition & { readonly merchant: string }) | undefined {
  const [merchant, at, id] = parts ?? [];
  if (typeof merchant !== "string" || typeof at !== "string" || typeof id !== "string") return undefined;
  const isRight = /^\d{1,16}$/.test(at) && (kind === "slip" || /^\d{1,18}$/.test(id));
  return isRight ? { merchant, at: Number(at), id } : undefined;
}
