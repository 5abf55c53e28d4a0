/**
 * A sportsbook: a site that merchants' pages frame (or that is opened directly), and calls to
 * `aggregator.sportsbook.v1` for sessions, slips and settlement. It uses only the service's .proto files.
 */
import type { IncomingMessage } from "node:http";
import { type ApiCall, type ApiHandler, Refused, startPageServer, textField } from "../http/page-server.ts";
import type { Bet } from "./bet.ts";
import { Brands } from "./brands.ts";
import { Cashier } from "./cashier.ts";
import { Book } from "./model/book.ts";
import { isOdds, ODDS_MAX, ODDS_MIN } from "./model/odds.ts";
import { SportsbookClient } from "./service-client.ts";
import { Sessions } from "./sessions.ts";
import { readSite } from "./site/site.ts";
import { readSlip } from "./slip-request.ts";
import { Slips } from "./slips.ts";
import { BoardStreams } from "./stream/board-streams.ts";

export interface SportsbookOptions {
  /** The service's gRPC listener, host:port. */
  readonly serviceGrpc: string;
  /** The API key of the provider SPORTSBOOK. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
  /** The origin for browsers. Absent: http://localhost with the port that was bound. */
  readonly origin?: string;
  /** The same seed makes the same matches, odds and results. */
  readonly seed: number;
  /** Whether matches begin and odds move. false: matches and odds never change, for tests. */
  readonly running: boolean;
  /** Whether any site may frame a brand without allowed origins, and results can be set by hand. */
  readonly development: boolean;
}

export interface RunningSportsbook {
  readonly origin: string;
  close(): Promise<void>;
}

const SETTLE_EVERY_MS = 1_000;

export async function startSportsbook(options: SportsbookOptions): Promise<RunningSportsbook> {
  const opened = Date.now();
  const client = new SportsbookClient(options.serviceGrpc, options.key);
  const book = new Book(options.seed, () => (options.running ? Date.now() : opened));
  const cashier = new Cashier(client, book);
  const slips = new Slips(client, book, cashier);
  const sessions = new Sessions(client);
  const brands = new Brands(client, options.development);
  const streams = new BoardStreams(book);

  const signedIn = ({ request }: ApiCall) => sessions.find(request.headers["x-sportsbook-session"]);
  const brandOf = async (url: URL) => ({
    ...(await brands.look(url.searchParams.get("brand") ?? "")),
    control: options.development,
  });

  const api: Record<string, ApiHandler> = {
    "GET /api/brand": ({ url }) => brandOf(url),
    "POST /api/session": async ({ body }) => {
      const { session_id, player_ref, currency, language, brand } = await sessions.exchange(textField(body, "token"));
      return { session_id, player_ref, currency, language, theme: brand.theme, layout: brand.layout };
    },
    "GET /api/board": streams.open,
    "GET /api/account": async (call) => {
      const { player_ref: player } = await signedIn(call);
      return { balance_minor: number(cashier.balanceOf(player)), bets: cashier.betsOf(player).map(shown) };
    },
    "POST /api/balance": async (call) => {
      const session = await signedIn(call);
      const { balanceMinor, error } = await sessions.call(
        session,
        client.getBalance({ session_id: session.session_id }),
      );
      cashier.setBalance(session.player_ref, balanceMinor);
      return { balance_minor: number(balanceMinor), error };
    },
    "POST /api/place": async (call) => {
      const session = await signedIn(call);
      const placed = await sessions.call(session, slips.place(session, readSlip(call.body)));
      return {
        status: placed.status,
        error: placed.error,
        balance_minor: number(placed.balanceMinor),
        bets: placed.bets.map(shown),
      };
    },
  };
  if (options.development) {
    // For tests by hand: end a match with a result, set odds, end a session.
    api["POST /control/finish"] = (call) => {
      const { home, away } = call.body as { home?: unknown; away?: unknown };
      if (!isGoals(home) || !isGoals(away))
        throw new Refused(422, "VALIDATION_ERROR", "home and away are the final score: 0 to 999.");
      const finished = book.finish(textField(call.body, "event"), { home, away });
      cashier.settle();
      streams.look();
      return { finished };
    };
    api["POST /control/odds"] = ({ body }) => {
      const { odds } = body as { odds?: unknown };
      if (!isOdds(odds)) throw new Refused(422, "VALIDATION_ERROR", `odds are ${ODDS_MIN} to ${ODDS_MAX} hundredths.`);
      const set = book.setOdds(textField(body, "selection"), odds);
      streams.look();
      return { set };
    };
    api["POST /control/expire"] = async (call) => {
      await sessions.end(await signedIn(call));
      return {};
    };
  }

  const { page, firstScreen, files, sources } = await readSite();
  /** The Content-Security-Policy of a page that these origins may frame. */
  const policy = (frameAncestors: string): string =>
    `default-src 'none'; script-src 'self' ${sources.script}; style-src ${sources.styles}; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`;
  /**
   * The sportsbook's page. If the site may not frame it, the answer is another page, which only sends the refusal to
   * that site. Any site may frame this second page.
   */
  const index = async (url: URL, request: IncomingMessage) => {
    const refusal = await brands.refusal(url.searchParams.get("brand") ?? "", request);
    if (refusal !== undefined)
      return page({
        opening: `{"refusal":"${refusal}","stream":${streams.opening()}}`,
        headers: { "Content-Security-Policy": policy("*") },
      });
    const brand = await brandOf(url).catch((error: unknown) => {
      if (error instanceof Refused) return error.status === 404 ? null : undefined;
      throw error;
    });
    return page({
      opening: `{${brand === undefined ? "" : `"brand":${JSON.stringify(brand)},`}"stream":${streams.opening()}}`,
      ...(brand && { first: firstScreen(brand, streams.board, url.pathname) }),
    });
  };
  const site = await startPageServer(
    {
      api,
      folders: {},
      csp: async (url) =>
        isPage(url) ? policy(await brands.frameAncestors(url.searchParams.get("brand") ?? "")) : FILE_POLICY,
      files: (url, request) => (isPage(url) ? index(url, request) : files.get(url.pathname)),
    },
    options.port,
    options.host,
  );
  const settling = setInterval(() => cashier.settle(), SETTLE_EVERY_MS);

  return {
    origin: options.origin ?? `http://localhost:${site.port}`,
    async close() {
      clearInterval(settling);
      streams.close();
      slips.close();
      cashier.close();
      client.close();
      const closed = new Promise((resolve) => site.server.close(resolve));
      site.server.closeAllConnections();
      await closed;
    },
  };
}

/** The policy of answers that are not pages. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Whether the address is that of the page, with or without a language. */
const isPage = ({ pathname }: URL): boolean => /^\/(?:(?:pt|es|en)\/)?$/.test(pathname);

const isGoals = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1_000;

/** Minor units as a JSON number. A number is exact here, because a wallet's balance has at most 15 digits. */
const number = (minor: bigint | null): number | null => (minor === null ? null : Number(minor));

/** A bet as its player's page gets it. */
const shown = ({
  id,
  currency,
  stakeMinor,
  placedAt,
  legs,
  state,
  error,
  refund,
  result,
  returnMinor,
  paying,
}: Bet) => ({
  id,
  currency,
  stake_minor: Number(stakeMinor),
  placed_at: placedAt,
  legs,
  state,
  error,
  refund,
  result,
  return_minor: Number(returnMinor),
  paying,
});
