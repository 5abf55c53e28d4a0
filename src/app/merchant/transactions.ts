import type { Kind } from "../../../contract/transactions/kinds.ts";
import { ok, type Result, refuse } from "../../domain/errors.ts";
import { NO_SUMS, type RoundEnd, type RoundSums } from "../../domain/transaction/round.ts";
import type { Action, Status } from "../../domain/transaction/transaction.ts";
import {
  type Choice,
  completeChoice,
  type TransactionFields,
  timeOf,
} from "../../domain/transaction/transaction-fields.ts";
import { isRoundId, type TxId } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { RoundListQuery, RoundPosition } from "../../ports/transactions/round-store.ts";
import type {
  ListedTransaction,
  ListPosition,
  LoggedTransaction,
  TransactionFilter,
  TransactionReader,
} from "../../ports/transactions/transaction-reader.ts";
import type { ListedRound, Rounds, RoundsPage } from "../rounds/rounds.ts";
import { refuseWhenUnavailable } from "../runtime/refuse-when-unavailable.ts";
import type { ResendTransaction } from "../transaction/resend-transaction.ts";
import {
  type Position,
  type RoundQuery,
  readTransactionsQuery,
  type TransactionsQuery,
  writePosition,
  writeRoundPosition,
} from "./transactions-query.ts";

/**
 * The number of rows of a stream that are in memory at one time. With 1 000, many rows get into the old generation of
 * the heap, which then grows by 160 MB.
 */
const STREAM_PAGE = 250;

/** The merchant whose transactions are read. */
type Owner = Pick<Merchant, "id" | "code">;

export interface TransactionPage {
  readonly items: readonly ListedTransaction[];
  /** The cursor of the next page. null: this was the listing's last page. A page of the feed always has a cursor. */
  readonly nextCursor: string | null;
  /** For the feed: the age in ms of the oldest change that the feed does not have yet. null: this is a listing. */
  readonly behindMs: number | null;
}

export interface Round {
  /** The transactions of the page, oldest first. */
  readonly items: readonly ListedTransaction[];
  /** The sums of the whole round. They are on every page. */
  readonly sums: RoundSums;
  readonly end: RoundEnd;
  /** The cursor of the next page. null: this was the last page. */
  readonly nextCursor: string | null;
}

/** A page of a listing or of the feed. `next`: where the next page begins; null: there is no next page. */
interface Step {
  readonly items: readonly ListedTransaction[];
  readonly next: Position | null;
  readonly behindMs: number | null;
}

/**
 * Reads a merchant's transactions, for the merchant and for internal teams. Every method may refuse with
 * SERVICE_UNAVAILABLE.
 */
export class Transactions {
  readonly #reader: TransactionReader;
  readonly #resend: ResendTransaction;
  readonly #rounds: Rounds;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(
    reader: TransactionReader,
    resend: ResendTransaction,
    rounds: Rounds,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#reader = reader;
    this.#resend = resend;
    this.#rounds = rounds;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  /** Reads a request as the caller sent it. VALIDATION_ERROR lists every fault at once. */
  read({ code }: Owner, fields: TransactionFields): Result<TransactionsQuery> {
    return readTransactionsQuery(code, fields, this.#clock.now());
  }

  /** A page of the listing. With `updated_since` or a cursor of the feed: a page of the feed. */
  list(owner: Owner, { choice: given, position, limit }: TransactionsQuery): Promise<Result<TransactionPage>> {
    return this.#run(async () => {
      const { choice, step } = await this.#open(owner, given, position);
      const { items, next, behindMs } = await step(position, limit);
      return ok({ items, behindMs, nextCursor: next === null ? null : writePosition(owner.code, choice, next) });
    });
  }

  /**
   * All transactions of the selection, page by page. Each page is read after the caller has taken the page before. The
   * first page is read at once, so that a refusal can still be returned. A later failure is thrown.
   */
  stream(owner: Owner, given: Choice): Promise<Result<AsyncIterable<readonly ListedTransaction[]>>> {
    return this.#run(async () => {
      const { step } = await this.#open(owner, given, null);
      return ok(pages(await step(null, STREAM_PAGE), (position) => step(position, STREAM_PAGE)));
    });
  }

  /** A transaction with its wallet calls. Refusal: TRANSACTION_NOT_FOUND. */
  async show({ id }: Owner, txId: string): Promise<Result<LoggedTransaction>> {
    return this.#run(async () => {
      const found = isRoundId(txId) ? await this.#reader.find({ merchantId: id, txId: txId as TxId }) : undefined;
      return found === undefined ? refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" }) : ok(found);
    });
  }

  /** Makes a pending or failed win or refund due now. Refusals: TRANSACTION_NOT_FOUND, NOT_RESENDABLE. */
  async resend({ id }: Owner, txId: string): Promise<Result<ListedTransaction>> {
    if (!isRoundId(txId)) return refuse("TRANSACTION_NOT_FOUND", { field: "tx_id" });
    return this.#run(() => this.#resend.resend({ merchantId: id, txId: txId as TxId }));
  }

  /**
   * A page of a round's transactions. A round may be open or have ended without any. Refusal: ROUND_NOT_FOUND.
   */
  async round({ id, code }: Owner, query: RoundQuery): Promise<Result<Round>> {
    const { provider, roundId, limit, after } = query;
    return this.#run(async () => {
      const found = await this.#reader.round({ merchantId: id, provider, roundId, after }, limit + 1);
      const end = await this.#rounds.endOf({ merchantId: id, provider, roundId }, found?.openedAt ?? null);
      if (found === undefined && end.state === "unknown") return refuse("ROUND_NOT_FOUND");
      const { items, last } = pageOf(found?.items ?? [], limit);
      return ok({
        items,
        sums: found?.sums ?? NO_SUMS,
        end,
        nextCursor: last && writeRoundPosition(code, query, last),
      });
    });
  }

  /** A page of the merchant's rounds whose providers end their rounds. */
  rounds({ id }: Owner, query: Omit<RoundListQuery, "merchantId">, limit: number): Promise<Result<RoundsPage>> {
    return this.#run(async () => ok(await this.#rounds.list({ ...query, merchantId: id }, limit)));
  }

  /**
   * All of these rounds, page by page. The first page is read at once, so that a refusal can still be returned. A later
   * failure is thrown.
   */
  roundStream(
    { id: merchantId }: Owner,
    query: Omit<RoundListQuery, "merchantId" | "after">,
  ): Promise<Result<AsyncIterable<readonly ListedRound[]>>> {
    const page = (after: RoundPosition | undefined) => this.#rounds.list({ ...query, merchantId, after }, STREAM_PAGE);
    return this.#run(async () => ok(roundPages(await page(undefined), page)));
  }

  #run<T>(read: () => Promise<Result<T>>): Promise<Result<T>> {
    return refuseWhenUnavailable(this.#telemetry, "reading transactions", read);
  }

  /** Completes the choice of a listing or of the feed, and returns a function that reads one page of it. */
  async #open({ id: merchantId }: Owner, given: Choice, position: Position | null) {
    const query = { merchantId, ...filterOf(given) };
    if (given.updated_since !== undefined) {
      const since = timeOf(given.updated_since);
      const step = async (at: Position | null, limit: number): Promise<Step> => {
        const after = at === null ? await this.#reader.feedStart(merchantId, since) : BigInt("seq" in at ? at.seq : 0);
        const { items, next, behindMs } = await this.#reader.feed({ ...query, after }, limit);
        return { items, next: { seq: String(next) }, behindMs };
      };
      return { choice: completeChoice(given, since), step };
    }
    const now = position === null ? await this.#reader.now() : 0;
    const choice = position === null ? completeChoice(given, now) : given;
    // Transactions created after this moment are not in this listing, however long its paging takes.
    const until =
      position !== null && "until" in position ? Number(position.until) : Math.min(now + 1, timeOr(choice.to, now + 1));
    const { from, status, order } = choice;
    const step = async (at: Position | null, limit: number): Promise<Step> => {
      const after = at !== null && "until" in at ? { createdAt: Number(at.created_at), id: BigInt(at.id) } : undefined;
      const found = await this.#reader.list(
        {
          ...query,
          after,
          from: from === undefined ? undefined : timeOf(from),
          to: until,
          status: status as Exclude<Status, "void"> | undefined,
          order: order as "asc" | "desc",
        },
        limit + 1,
      );
      const { items, last } = pageOf(found, limit);
      return {
        items,
        next: last && { until: String(until), created_at: String(last.createdAt), id: String(last.id) },
        behindMs: null,
      };
    };
    return { choice, step };
  }
}

/** The pages of a list of rounds until its end. */
async function* roundPages(
  first: RoundsPage,
  page: (after: RoundPosition) => Promise<RoundsPage>,
): AsyncGenerator<readonly ListedRound[]> {
  for (let at = first; ; at = await page(at.next)) {
    if (at.items.length > 0) yield at.items;
    if (at.next === null) return;
  }
}

/** The pages of a listing until its end, or the pages of the feed until no change is left. */
async function* pages(
  first: Step,
  next: (position: Position) => Promise<Step>,
): AsyncGenerator<readonly ListedTransaction[]> {
  let step = first;
  for (;;) {
    if (step.items.length > 0) yield step.items;
    const at = step.next;
    if (at === null) return;
    step = await next(at);
    if ("seq" in at && step.next !== null && "seq" in step.next && step.next.seq === at.seq) return;
  }
}

/**
 * Builds a page from the rows that were read, at most `limit` + 1. `last`: the position after which the next page
 * begins; null: there is no next page.
 */
function pageOf(
  found: readonly ListedTransaction[],
  limit: number,
): { items: readonly ListedTransaction[]; last: ListPosition | null } {
  const items = found.slice(0, limit);
  const end = found.length > limit ? items.at(-1) : undefined;
  return { items, last: end === undefined ? null : { createdAt: end.transaction.createdAt, id: end.id } };
}

const filterOf = ({
  action,
  kind,
  player_id,
  round_id,
  tx_id,
  ref_tx_id,
  provider,
  game,
}: Choice): TransactionFilter => ({
  action: action as Action | undefined,
  kind: kind as Kind | undefined,
  playerId: player_id,
  roundId: round_id,
  txId: tx_id,
  refTxId: ref_tx_id,
  provider,
  game,
});

const timeOr = (text: string | undefined, otherwise: number): number => (text === undefined ? otherwise : timeOf(text));
