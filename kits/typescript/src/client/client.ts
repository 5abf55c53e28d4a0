/** The merchant's API. */
import { Caller, type ClientOptions, pause } from "./call.ts";
import { ConnectionError } from "./errors.ts";
import { parseJson } from "./json.ts";
import type {
  Changes,
  ChangesQuery,
  Game,
  GamesQuery,
  Launch,
  LaunchRequest,
  ListedRound,
  Merchant,
  Provider,
  Report,
  ReportQuery,
  Round,
  RoundsQuery,
  Transaction,
  TransactionsQuery,
  TransactionWithAttempts,
} from "./types.ts";

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Every operation of the API. Money is exact decimal text. After no answer, a 429 or a 5xx, the client signs the call
 * anew and repeats it. A launch is never repeated, because each launch opens a session.
 *
 * All methods throw an AggregatorError when the service refuses, and a ConnectionError when there is no answer.
 */
export class AggregatorClient {
  readonly #caller: Caller;

  constructor(options: ClientOptions) {
    this.#caller = new Caller(options);
  }

  merchant(): Promise<Merchant> {
    return this.#get("/v1/merchant");
  }

  /** Opens a game. Show `launch_url` at once. Call this again each time the player opens a game. */
  launch(request: LaunchRequest): Promise<Launch> {
    return this.#caller.data({ method: "POST", target: "/v1/game/launch", payload: request, isRepeatable: false });
  }

  /** All games that match the query. */
  games(query: GamesQuery = {}): AsyncGenerator<Game, void> {
    return this.#all("/v1/games", { ...query });
  }

  async game(provider: string, code: string, lang?: string): Promise<Game> {
    return this.#get(`/v1/games/${segment(provider)}/${segment(code)}`, { lang });
  }

  providers(query: { readonly limit?: number } = {}): AsyncGenerator<Provider, void> {
    return this.#all("/v1/providers", { ...query });
  }

  /** A whole listing, page by page. */
  transactions(query: TransactionsQuery = {}): AsyncGenerator<Transaction, void> {
    return this.#all("/v1/transactions", { ...query });
  }

  /**
   * A whole listing as one streamed reply.
   *
   * @throws ConnectionError when the reply ends too early
   */
  async *exportTransactions(query: Omit<TransactionsQuery, "limit"> = {}): AsyncGenerator<Transaction, void> {
    const target = `/v1/transactions${search({ ...query, format: "ndjson" })}`;
    const body = await this.#caller.stream({ method: "GET", target, isRepeatable: true });
    for await (const line of lines(body)) {
      const item = parseJson(line) as Transaction | { readonly complete: true };
      if ("complete" in item) return;
      yield item;
    }
    throw new ConnectionError("The export ended before its last line. Discard what came.");
  }

  /**
   * The pages of the feed of changes, without end. At the feed's end it yields an empty page, pauses and reads again.
   * When the service cannot be reached, it repeats the call. Store items and cursor together; a stored cursor is valid
   * for ever.
   */
  async *changes({
    cursor,
    since,
    limit,
    pauseMs = 1_000,
    signal,
    ...filter
  }: ChangesQuery): AsyncGenerator<Changes, void> {
    if (cursor === undefined && since === undefined) throw new TypeError("changes needs a cursor, or a time: since");
    for (let at = cursor; ; ) {
      const place: Parameters = at === undefined ? { updated_since: since, ...filter } : { cursor: at };
      const target = `/v1/transactions${search({ ...place, limit })}`;
      const page = await this.#caller.data<Page<Transaction> & { next_cursor: string; behind_ms: number }>({
        method: "GET",
        target,
        isRepeatable: true,
        attempts: Number.POSITIVE_INFINITY,
        signal,
      });
      const { items, next_cursor: next, behind_ms: behindMs } = page;
      yield { items, cursor: next, behindMs };
      // With a filter, a page may be empty although more changes follow.
      if (items.length === 0 && (at === undefined || next === at)) await pause(pauseMs, signal);
      at = next;
    }
  }

  /** One transaction with all calls that the service made to your wallet for it. */
  async transaction(txId: string): Promise<TransactionWithAttempts> {
    return this.#get(`/v1/transactions/${segment(txId)}`);
  }

  /** Makes the service send a pending or failed win or refund now. */
  async resend(txId: string): Promise<Transaction> {
    const target = `/v1/transactions/${segment(txId)}/resend`;
    return this.#caller.data({ method: "POST", target, isRepeatable: true });
  }

  /** The rounds that are open or have ended, of providers that say when a round ends. */
  rounds(query: RoundsQuery = {}): AsyncGenerator<ListedRound, void> {
    return this.#all("/v1/rounds", { ...query });
  }

  /** A round with its sums, and one page of its transactions. */
  async round(
    provider: string,
    roundId: string,
    query: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Round> {
    return this.#get(`/v1/rounds/${segment(provider)}/${segment(roundId)}`, { ...query });
  }

  /** The sums of the successful transactions. */
  ggrReport(query: ReportQuery): Promise<Report> {
    return this.#get("/v1/reports/ggr", { ...query });
  }

  #get<T>(path: string, parameters: Parameters = {}): Promise<T> {
    return this.#caller.data({ method: "GET", target: path + search(parameters), isRepeatable: true });
  }

  async *#all<T>(path: string, { limit, ...parameters }: Parameters): AsyncGenerator<T, void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      // A cursor contains the other parameters.
      const page: Page<T> = await this.#get(path, cursor === undefined ? { ...parameters, limit } : { cursor, limit });
      yield* page.items;
      cursor = page.next_cursor;
    }
  }
}

/**
 * An id as a part of a path.
 *
 * @throws TypeError for `.` and `..`, to which URLs give another meaning: a server would read another path than the
 * signed one
 */
function segment(id: string): string {
  if (["", ".", ".."].includes(id)) throw new TypeError(`The id "${id}" cannot stand in a path. No call was made.`);
  return encodeURIComponent(id);
}

/** A query string that begins with `?`; empty when there are no parameters. */
function search(parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for await (const chunk of body) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  } catch (cause) {
    throw new ConnectionError("The export was cut. Discard what came.", { cause });
  }
}
