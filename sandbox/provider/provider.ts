/**
 * A game provider: a gRPC server that opens games, a site that shows them in an iframe, and calls to the aggregator's
 * WalletService for every movement of money. Two provider codes share this process, each with its own key.
 */
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { PageFile } from "../../web-files/page-file.ts";
import { limitGrpcPieces } from "../http/grpc-pieces.ts";
import { type ApiCall, type ApiHandler, Refused, startPageServer, textField } from "../http/page-server.ts";
import { coverSvg, SHAPES, type Shape } from "./art/cover.ts";
import { SYMBOLS, type SymbolName, symbolSvg } from "./art/symbols.ts";
import { wheelSvg } from "./art/wheel.ts";
import { GameSession, type Opened } from "./game-session.ts";
import games from "./games.json" with { type: "json" };
import { type Misbehaviour, misbehave, mistakesOf } from "./misbehave.ts";
import { isSpot } from "./roulette.ts";
import { SLOT_SKINS, TABLE_SKINS } from "./skins.ts";
import { PAYS } from "./slot.ts";
import { FEATURE, SlotRounds, type SpinResult } from "./slot-round.ts";
import { spinHook } from "./spin-hook.ts";
import { Table } from "./table.ts";
import { type Cashier, providerV1, type WalletAnswer, WalletClient } from "./wallet-client.ts";

limitGrpcPieces();

export interface ProviderOptions {
  /** The service's gRPC listener, host:port. */
  readonly serviceGrpc: string;
  /** API key by provider code. */
  readonly keys: Readonly<Record<string, string>>;
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  /** The origin of the game pages for browsers. Absent: http://localhost with the port that was bound. */
  readonly origin?: string;
  /**
   * The origin of the merchants' site. Only this site may frame the games. Absent: any site of this machine may frame
   * them.
   */
  readonly merchantOrigin?: string;
  /** The hook plays rounds without a page, and every round wins (see spin-hook.ts). Absent: there is no hook. */
  readonly hasSpinHook?: boolean;
  /** The time for a player's decision about a pending bet, 20 s by default. */
  readonly undecidedMs?: number;
}

export interface RunningProvider {
  readonly origin: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  /**
   * Makes a session of a game, and returns the address of its page. The session's token is in the address's fragment,
   * which browsers never send over the network. `mistakes`: the buttons of Backstage.
   */
  open(opened: Opened, cashier: Cashier, mistakes: readonly Misbehaviour[]): string;
  close(): Promise<void>;
}

/** Bets on offer, in minor units; multiples of ten, for the slots' ten lines. */
const BETS: Readonly<Record<string, readonly number[]>> = {
  BRL: [50, 100, 200, 500, 1_000, 5_000],
  USD: [20, 50, 100, 200, 500, 2_000],
  PEN: [50, 100, 200, 500, 1_000, 5_000],
  MXN: [200, 500, 1_000, 2_500, 10_000, 50_000],
  ARS: [10_000, 20_000, 50_000, 100_000, 500_000, 1_000_000],
  COP: [50_000, 100_000, 200_000, 500_000, 1_000_000, 5_000_000],
  CLP: [100, 200, 500, 1_000, 5_000, 20_000],
};

interface Seat {
  readonly session: GameSession;
  readonly rounds: SlotRounds;
  readonly mistakes: readonly Misbehaviour[];
}

const SESSIONS_MAX = 1_000;
const LETTERS: readonly SymbolName[] = ["ace", "king", "queen", "jack", "wild"];
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export async function startProvider(options: ProviderOptions): Promise<RunningProvider> {
  const clients = new Map(
    Object.entries(options.keys).map(([code, key]) => [code, new WalletClient(options.serviceGrpc, key)]),
  );
  const sessions = new Map<string, Seat>();
  const tables = new Map(Object.entries(TABLE_SKINS).map(([code, skin]) => [code, new Table(skin.seconds)]));

  /** The session of a page. The page sends its token in a header, which a page of another site cannot send. */
  const sessionOf = ({ request }: ApiCall) => {
    const found = sessions.get(String(request.headers["x-play-token"]));
    if (found === undefined)
      throw new Refused(401, "UNKNOWN_SESSION", "This game was opened a while ago. Open it again from the lobby.");
    return found;
  };
  const tableOf = (session: GameSession): Table => {
    const table = tables.get(session.opened.game);
    if (table === undefined) throw new Refused(409, "NOT_A_TABLE", "This game is not a live table.");
    return table;
  };
  const betsOf = (session: GameSession) => BETS[session.opened.currency] ?? [100];
  const amountField = (session: GameSession, body: unknown): number => {
    const amount = (body as { amount_minor?: unknown } | null)?.amount_minor;
    if (typeof amount !== "number" || !betsOf(session).includes(amount))
      throw new Refused(422, "VALIDATION_ERROR", "That is none of the bets on offer.");
    return amount;
  };
  const withCalls = <T extends object>(session: GameSession, result: T) => ({
    ...result,
    balance_minor: session.balanceMinor,
    calls: session.calls,
  });
  const slotRound = async (call: ApiCall, play: (rounds: SlotRounds, betMinor: number) => Promise<SpinResult>) => {
    const { session, rounds } = sessionOf(call);
    if (rounds.busy) throw new Refused(409, "BUSY", "A bet is waiting for your decision.");
    return withCalls(session, await play(rounds, amountField(session, call.body)));
  };
  const paid = async (call: ApiCall, pay: (rounds: SlotRounds) => Promise<WalletAnswer | undefined> | undefined) => {
    const { session, rounds } = sessionOf(call);
    const answer = await pay(rounds);
    return withCalls(session, { status: answer?.status ?? null, error: answer?.error ?? "" });
  };
  const atTable = async (
    call: ApiCall,
    act: (table: Table, session: GameSession) => Promise<string | undefined>,
  ): Promise<object> => {
    const { session } = sessionOf(call);
    const table = tableOf(session);
    const error = await act(table, session);
    return withCalls(session, { ...table.view(session), error: error ?? "" });
  };

  const api: Record<string, ApiHandler> = {
    /** The data of the provider's own page. */
    "GET /api/provider": () => ({ site: options.merchantOrigin ?? null, games }),
    "GET /api/session": async (call) => {
      const { session, mistakes } = sessionOf(call);
      const { game, name, type, currency, language, demo, lobbyUrl } = session.opened;
      const balance = await session.readBalance();
      const skin = SLOT_SKINS[game] ?? TABLE_SKINS[game];
      const symbols = [...(SLOT_SKINS[game]?.symbols ?? []), ...LETTERS];
      return withCalls(session, {
        game,
        name,
        type,
        currency,
        language,
        demo,
        lobby_url: lobbyUrl,
        bets: betsOf(session),
        skin,
        symbols,
        pays: PAYS,
        mistakes,
        // An upstream's own API has neither tips nor features.
        feature: session.isOwn && type === "slot" ? FEATURE : null,
        takes_tips: session.isOwn && type === "live",
        balance_error: balance.error,
      });
    },
    "POST /api/spin": (call) => slotRound(call, (rounds, bet) => rounds.spin(bet)),
    "POST /api/feature": (call) => slotRound(call, (rounds, bet) => rounds.buyFeature(bet)),
    "POST /api/payout": (call) => paid(call, (rounds) => rounds.payout(textField(call.body, "round"))),
    "POST /api/repeat": async (call) => {
      const { session, rounds } = sessionOf(call);
      return withCalls(session, await rounds.repeat());
    },
    "POST /api/give-back": (call) => paid(call, (rounds) => rounds.giveBack()),
    "POST /api/misbehave": async (call) => {
      const { session } = sessionOf(call);
      const message = await misbehave(session, textField(call.body, "kind"), betsOf(session)[0] ?? 10);
      return withCalls(session, { message });
    },
    "GET /api/table": (call) => {
      const { session } = sessionOf(call);
      return withCalls(session, tableOf(session).view(session));
    },
    "POST /api/table/bet": (call) =>
      atTable(call, (table, session) => {
        const spot = textField(call.body, "spot");
        if (!isSpot(spot)) throw new Refused(422, "VALIDATION_ERROR", "There is no such place on the table.");
        return table.place(session, spot, amountField(session, call.body));
      }),
    "POST /api/table/tip": (call) =>
      atTable(call, (table, session) => table.tip(session, amountField(session, call.body))),
    "POST /api/table/undo": (call) => atTable(call, (table, session) => table.undo(session)),
  };

  if (options.hasSpinHook)
    api["POST /certify/spin"] = ({ body }) =>
      spinHook(
        body,
        (token) => sessions.get(token),
        (session) => betsOf(session)[0] ?? 100,
      );

  const site = await startPageServer(
    {
      api,
      folders: {
        "/": folder("home"),
        "/play/": folder("page"),
        "/words/": folder("words"),
        "/web-renderer/": folder("../../web-renderer"),
        "/design/": folder("../design"),
        "/web-files/": folder("../../web-files"),
        "/look/": folder("../../look"),
        "/contract/": folder("../../contract"),
        "/art/": folder("art"),
      },
      csp: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${options.merchantOrigin ?? "http://localhost:*"}`,
      files: picture,
    },
    options.httpPort,
    options.host,
  );
  const origin = options.origin ?? `http://localhost:${site.port}`;

  const open: RunningProvider["open"] = (opened, cashier, mistakes) => {
    const session = new GameSession(opened, cashier);
    sessions.set(session.token, { session, rounds: new SlotRounds(session, options.undecidedMs), mistakes });
    const oldest = sessions.keys().next().value;
    if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
    return `${origin}/play/?${new URLSearchParams({ game: opened.game, lang: opened.language })}#${session.token}`;
  };

  /** Handles OpenGame. */
  const openGame = (request: OpenGameRequest): string => {
    const game = games.find((g) => g.code === request.game_code);
    const client = game && clients.get(game.provider);
    if (game === undefined || client === undefined) throw new Error(`no game ${request.game_code} here`);
    const { session_id: sessionId, currency, language, demo, lobby_url: lobbyUrl } = request;
    const { code, name, type } = game;
    return open({ sessionId, game: code, name, type, currency, language, demo, lobbyUrl }, client, mistakesOf(type));
  };

  const server = new grpc.Server();
  server.addService(providerV1.GameService.service, {
    OpenGame: (
      call: grpc.ServerUnaryCall<OpenGameRequest, unknown>,
      reply: grpc.sendUnaryData<{ launch_url: string }>,
    ) => {
      try {
        reply(null, { launch_url: openGame(call.request) });
      } catch (error) {
        reply({ code: grpc.status.NOT_FOUND, details: String(error) });
      }
    },
  });
  const grpcPort = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.grpcPort}`, grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });

  return {
    origin,
    httpPort: site.port,
    grpcPort,
    open,
    async close() {
      for (const table of tables.values()) table.stop();
      server.forceShutdown();
      for (const client of clients.values()) client.close();
      const closed = new Promise((resolve) => site.server.close(resolve));
      site.server.closeAllConnections();
      await closed;
    },
  };
}

interface OpenGameRequest {
  readonly session_id: string;
  readonly game_code: string;
  readonly currency: string;
  readonly language: string;
  readonly demo: boolean;
  readonly lobby_url: string;
}

/** The drawings: `/art/cover/<game>/<shape>.svg`, `/art/symbol/<name>.svg`, `/art/wheel/<game>.svg`. */
function picture({ pathname }: URL): PageFile | undefined {
  const [, kind, name = "", shape = ""] =
    /^\/art\/(cover|symbol|wheel)\/([a-z-]+)(?:\/([a-z]+))?\.svg$/.exec(pathname) ?? [];
  const svg =
    kind === "cover" && Object.hasOwn(SHAPES, shape)
      ? coverSvg(name, shape as Shape)
      : kind === "symbol" && Object.hasOwn(SYMBOLS, name)
        ? symbolSvg(name as SymbolName)
        : kind === "wheel"
          ? wheelSvg(TABLE_SKINS[name]?.cloth ?? "#0b4a33")
          : undefined;
  return svg === undefined ? undefined : new PageFile("svg", svg, { "Cache-Control": "no-cache" });
}
