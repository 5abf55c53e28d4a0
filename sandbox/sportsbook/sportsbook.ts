/**
 * A sportsbook: a site that merchants' pages frame (or that is opened directly), and calls to
 * `aggregator.sportsbook.v1` for sessions, slips and settlement. It uses only the service's .proto files.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { publishedFiles } from "../../web-renderer/build/published-files.ts";
import { type ApiCall, type ApiHandler, Refused, startPageServer, textField } from "../http/page-server.ts";
import type { Bet } from "./bet.ts";
import { Brands } from "./brands.ts";
import { Cashier } from "./cashier.ts";
import { Book, type BookEvent } from "./model/book.ts";
import { isOdds, ODDS_MAX, ODDS_MIN } from "./model/odds.ts";
import { SportsbookClient } from "./service-client.ts";
import { Sessions } from "./sessions.ts";
import { readSlip } from "./slip-request.ts";
import { Slips } from "./slips.ts";
import { themesCss } from "./themes-css.ts";

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
  /** Whether matches begin and odds move. false: everything stands still, for tests. */
  readonly running: boolean;
  /** Whether any site may frame a brand without allowed origins, and results can be set by hand. */
  readonly development: boolean;
}

export interface RunningSportsbook {
  readonly origin: string;
  close(): Promise<void>;
}

const SETTLE_EVERY_MS = 1_000;
const BOARD_MARKETS = 2;
const SELECTIONS_MAX = 50;
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export async function startSportsbook(options: SportsbookOptions): Promise<RunningSportsbook> {
  const opened = Date.now();
  const client = new SportsbookClient(options.serviceGrpc, options.key);
  const book = new Book(options.seed, () => (options.running ? Date.now() : opened));
  const cashier = new Cashier(client, book);
  const slips = new Slips(client, book, cashier);
  const sessions = new Sessions(client);
  const brands = new Brands(client, options.development);

  const signedIn = ({ request }: ApiCall) => sessions.find(request.headers["x-sportsbook-session"]);
  const eventField = (call: ApiCall): BookEvent => {
    const event = book.event(call.url.searchParams.get("id") ?? "");
    if (event === undefined) throw new Refused(404, "EVENT_NOT_FOUND", "There is no such match.");
    return event;
  };

  const api: Record<string, ApiHandler> = {
    "GET /api/brand": async ({ url }) => ({
      ...(await brands.look(url.searchParams.get("brand") ?? "")),
      control: options.development,
    }),
    "POST /api/session": async ({ body }) => {
      const { session_id, player_ref, currency, language, brand } = await sessions.exchange(textField(body, "token"));
      return { session_id, player_ref, currency, language, theme: brand.theme, layout: brand.layout };
    },
    // The board, and the odds of the betslip's selections, also of matches that are not on the board.
    "GET /api/board": ({ url }) => {
      const ids = (url.searchParams.get("selections") ?? "").split(",", SELECTIONS_MAX).filter((id) => id !== "");
      const selections = ids.map((id) => ({
        id,
        odds: book.selection(id)?.odds ?? null,
        phase: book.selection(id)?.event.phase ?? "finished",
      }));
      return {
        events: book.board().map((event) => ({
          ...event,
          markets: event.markets.slice(0, BOARD_MARKETS),
          more: event.markets.length - BOARD_MARKETS,
        })),
        selections,
      };
    },
    "GET /api/event": (call) => eventField(call),
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
    // For trying things out: end a match with a result, set odds, end a session.
    api["POST /control/finish"] = (call) => {
      const { home, away } = call.body as { home?: unknown; away?: unknown };
      if (!isGoals(home) || !isGoals(away))
        throw new Refused(422, "VALIDATION_ERROR", "home and away are the final score: 0 to 999.");
      const finished = book.finish(textField(call.body, "event"), { home, away });
      cashier.settle();
      return { finished };
    };
    api["POST /control/odds"] = ({ body }) => {
      const { odds } = body as { odds?: unknown };
      if (!isOdds(odds)) throw new Refused(422, "VALIDATION_ERROR", `odds are ${ODDS_MIN} to ${ODDS_MAX} hundredths.`);
      return { set: book.setOdds(textField(body, "selection"), odds) };
    };
    api["POST /control/expire"] = async (call) => {
      await sessions.end(await signedIn(call));
      return {};
    };
  }

  const index = readFileSync(folder("page/index.html"), "utf8");
  const published = await publishedFiles();
  const site = await startPageServer(
    {
      api,
      folders: {
        "/": folder("page"),
        "/design/": folder("../design"),
        "/look/": folder("../../look"),
        "/model/": folder("model"),
        "/web-renderer/": folder("../../web-renderer"),
      },
      csp: async (url) =>
        `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${await brands.frameAncestors(url.searchParams.get("brand") ?? "")}`,
      generated: (path) => {
        if (/^\/(?:(?:pt|es|en)\/)?$/.test(path)) return { type: "text/html; charset=utf-8", text: index };
        if (path === "/themes.css") return { type: "text/css; charset=utf-8", text: themesCss() };
        const file = published.get(path);
        return file && { type: file.headers["content-type"] ?? "", text: file.bytes, headers: file.headers };
      },
    },
    options.port,
    options.host,
  );
  const settling = setInterval(() => cashier.settle(), SETTLE_EVERY_MS);

  return {
    origin: options.origin ?? `http://localhost:${site.port}`,
    async close() {
      clearInterval(settling);
      slips.close();
      cashier.close();
      client.close();
      const closed = new Promise((resolve) => site.server.close(resolve));
      site.server.closeAllConnections();
      await closed;
    },
  };
}

const isGoals = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1_000;

/** Minor units as a JSON number. They fit, because a wallet's balance has at most 15 digits. */
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
