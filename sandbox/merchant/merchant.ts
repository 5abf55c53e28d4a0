/**
 * The sandbox's merchant: one brand, one merchant per currency, one walletUrl for all. It has a site with a login and a
 * lobby, the wallet, and a live list of callbacks. It uses only the published REST API and the callbacks.
 */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { LANGUAGES, type Language } from "../../web-renderer/protocol.ts";
import {
  type ApiCall,
  type ApiHandler,
  pageListener,
  Refused,
  startPageServer,
  textField,
} from "../http/page-server.ts";
import { StreamLimit } from "../http/stream-limit.ts";
import { CallbackLog } from "./callback-log.ts";
import type { Fault } from "./faults.ts";
import { type Currency, Ledger, toDecimal } from "./ledger.ts";
import { ledgerCsv } from "./ledger-csv.ts";
import { LedgerView } from "./ledger-view.ts";
import { playersOf } from "./players.ts";
import { Robots } from "./robots.ts";
import { type Credentials, callService } from "./service-client.ts";
import { type MerchantReply, readSportsbook } from "./sportsbook.ts";
import { startWallet } from "./wallet.ts";

export interface SandboxMerchant extends Credentials {
  readonly currency: Currency;
}

export interface MerchantOptions {
  /** The service's REST address, without /v1 and trailing slash. */
  readonly serviceUrl: string;
  readonly merchants: readonly SandboxMerchant[];
  /** Where the wallet's callbacks are kept, for others who show them. */
  readonly log?: CallbackLog;
  readonly host: string;
  readonly port: number;
  readonly walletPort: number;
  /** The origin of this site for browsers. Absent: http://localhost with the port that was bound. */
  readonly origin?: string;
  /** The origins of the games. The site may frame them and show their pictures. */
  readonly gameOrigins: string;
  /** The origin of the sportsbook and its browser library. The site may run the library and frame the sportsbook. */
  readonly sportsbookOrigin: string;
}

export interface RunningMerchant {
  readonly origin: string;
  readonly port: number;
  /** The merchants' walletUrl. */
  readonly walletUrl: string;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

interface Login {
  readonly merchant: SandboxMerchant;
  readonly player: string;
  readonly name: string;
  fault: FaultSwitch;
}

/** The fault of the wallet behind each switch of the page. */
const FAULTS = {
  none: { kind: "none" },
  slow: { kind: "slow", ms: 3_000 },
  silent: { kind: "silent" },
  http_500: { kind: "http_500" },
  applied_http_500: { kind: "http_500", applies: true },
  html: { kind: "html" },
  garbage: { kind: "garbage" },
  rejected: { kind: "rejected" },
  applied_no_reply: { kind: "applied_no_reply" },
} as const satisfies Record<string, Fault>;
type FaultSwitch = keyof typeof FAULTS;

const COOKIE = "sandbox_merchant";
/** The event streams at a time, in total and for each address. */
const STREAMS_MAX = 500;
const STREAMS_PER_ADDRESS_MAX = 50;
/** A page that leaves this many bytes unread is disconnected. */
const UNREAD_MAX_BYTES = 262_144;
const LOGINS_MAX = 10_000;
const HEARTBEAT_MS = 15_000;
const LOBBY_PAGES_MAX = 10;

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export async function startMerchant(options: MerchantOptions): Promise<RunningMerchant> {
  const { log = new CallbackLog() } = options;
  const ledger = new Ledger();
  for (const { code, currency } of options.merchants) {
    ledger.addMerchant(code, currency);
    for (const player of playersOf(currency)) {
      ledger.addPlayer(code, player.id, player.openingMinor);
      if (player.blocked) ledger.block(code, player.id, true);
    }
  }
  const robots = new Robots(options.serviceUrl, options.merchants, ledger);
  const view = new LedgerView(ledger, options.merchants);
  const secretsOf = (code: string) =>
    options.merchants.filter((merchant) => merchant.code === code).map(({ secret }) => secret);
  const wallet = await startWallet({
    port: options.walletPort,
    host: options.host,
    secretsOf,
    ledger,
    onCallback: (callback) => {
      view.note(callback);
      log.add(callback);
    },
    page: pageListener({
      api: { "GET /api/ledger": () => ({ site: origin, ledgers: view.show() }) },
      folders: {
        "/": folder("wallet-page"),
        // The page at the walletUrl: a browser that opens this address gets index.html.
        "/wallet": folder("wallet-page"),
        "/page/": folder("page"),
        "/design/": folder("../design"),
        "/web-files/": folder("../../web-files"),
        "/look/": folder("../../look"),
        "/contract/": folder("../../contract"),
        "/web-renderer/": folder("../../web-renderer"),
      },
      csp: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    }),
  });
  const logins = new Map<string, Login>();
  const streams = new Set<ServerResponse>();
  const streamLimit = new StreamLimit(STREAMS_MAX, STREAMS_PER_ADDRESS_MAX);

  const loginOf = ({ request }: ApiCall): Login | undefined => logins.get(cookieOf(request.headers.cookie));
  const loggedIn = (call: ApiCall): Login => {
    const login = loginOf(call);
    if (login === undefined) throw new Refused(401, "LOGGED_OUT", "Log in first.");
    return login;
  };
  const balanceOf = ({ merchant, player }: Login) =>
    Number(toDecimal(ledger.balanceMinor(merchant.code, player), merchant.currency));
  const shown = (login: Login) => {
    return {
      player: login.player,
      name: login.name,
      merchant: login.merchant.code,
      currency: login.merchant.currency,
      balance: balanceOf(login),
      fault: login.fault,
    };
  };
  const service = async (
    { merchant }: Pick<Login, "merchant">,
    method: "GET" | "POST",
    target: string,
    payload?: unknown,
  ): Promise<unknown> => {
    const reply = await callService(options.serviceUrl, merchant, method, target, payload);
    if (reply.ok) return reply.data;
    throw new Refused(reply.status, reply.code, reply.message);
  };

  const api: Record<string, ApiHandler> = {
    "GET /api/session": (call) => {
      const login = loginOf(call);
      const currencies = options.merchants.map(({ code, currency }) => ({
        merchant: code,
        currency,
        players: playersOf(currency).map(({ id, name, character }) => ({
          id,
          name,
          character,
          balance: Number(toDecimal(ledger.balanceMinor(code, id), currency)),
        })),
      }));
      return { login: login === undefined ? null : shown(login), currencies, game_origin: options.gameOrigins };
    },
    "POST /api/login": (call) => {
      const merchant = options.merchants.find(({ code }) => code === textField(call.body, "merchant"));
      const player = merchant && playersOf(merchant.currency).find(({ id }) => id === textField(call.body, "player"));
      if (merchant === undefined || player === undefined)
        throw new Refused(422, "VALIDATION_ERROR", "There is no such player.");
      const token = randomBytes(24).toString("base64url");
      const login: Login = { merchant, player: player.id, name: player.name, fault: "none" };
      wallet.setFault(FAULTS.none, player.id);
      logins.set(token, login);
      // The oldest login ends, so that logins without end need no memory without end.
      if (logins.size > LOGINS_MAX) logins.delete(logins.keys().next().value ?? "");
      call.response.setHeader("set-cookie", `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`);
      return shown(login);
    },
    "POST /api/logout": (call) => {
      const login = loginOf(call);
      if (login !== undefined) wallet.setFault(FAULTS.none, login.player);
      logins.delete(cookieOf(call.request.headers.cookie));
      call.response.setHeader("set-cookie", `${COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`);
      return {};
    },
    // Reads the first page of GET /v1/games, and then follows the cursors.
    "GET /api/games": async (call) => {
      const login = loggedIn(call);
      const items: unknown[] = [];
      let target = "/v1/games";
      for (let page = 0; page < LOBBY_PAGES_MAX; page++) {
        const data = (await service(login, "GET", target)) as { items: unknown[]; next_cursor?: string | null };
        items.push(...data.items);
        if (!data.next_cursor) break;
        target = `/v1/games?cursor=${encodeURIComponent(data.next_cursor)}`;
      }
      return { items };
    },
    "POST /api/launch": async (call) => {
      const login = loggedIn(call);
      const demo = (call.body as { demo?: unknown } | null)?.demo === true;
      const provider = textField(call.body, "provider");
      const game = textField(call.body, "game");
      return service(login, "POST", "/v1/game/launch", {
        player_id: login.player,
        game,
        provider,
        lang: languageField(call.body),
        demo,
        lobby_url: `${origin}/`,
      });
    },
    // The data with which the page embeds the sportsbook, for visitors, too. They come from GET /v1/merchant, with the
    // hash of the script's current version.
    "GET /api/sportsbook": async (call) => {
      const merchant = loginOf(call)?.merchant ?? options.merchants[0];
      if (merchant === undefined) throw new Refused(404, "NOT_FOUND", "There is no merchant.");
      return readSportsbook((await service({ merchant }, "GET", "/v1/merchant")) as MerchantReply);
    },
    // The token of the browser library: the jwt of a launch.
    "POST /api/sportsbook/token": async (call) => {
      const login = loggedIn(call);
      const launched = await service(login, "POST", "/v1/game/launch", {
        player_id: login.player,
        game: "sportsbook",
        lang: languageField(call.body),
      });
      return { token: new URL((launched as { launch_url: string }).launch_url).searchParams.get("jwt") };
    },
    "POST /api/fault": (call) => {
      const login = loggedIn(call);
      const kind = textField(call.body, "fault");
      if (!Object.hasOwn(FAULTS, kind)) throw new Refused(422, "VALIDATION_ERROR", "There is no such fault.");
      login.fault = kind as FaultSwitch;
      wallet.setFault(FAULTS[login.fault], login.player);
      return shown(login);
    },
    "POST /api/deposit": (call) => {
      const login = loggedIn(call);
      const opening = playersOf(login.merchant.currency)[0]?.openingMinor ?? 0n;
      ledger.deposit(login.merchant.code, login.player, opening);
      return shown(login);
    },
    // Rounds of the robots, for visitors, too.
    "GET /api/rounds": () => robots.show(),
    "POST /api/rounds": () => robots.start(),
    // The ledger of a merchant, for reconciliation. By default it is the ledger of the player's merchant.
    "GET /api/ledger.csv": (call) => {
      const code = call.url.searchParams.get("merchant");
      const merchant = code === null ? loggedIn(call).merchant : options.merchants.find((one) => one.code === code);
      if (merchant === undefined) throw new Refused(404, "NOT_FOUND", "There is no such merchant.");
      const headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="ledger-${merchant.code}.csv"`,
      };
      call.response.writeHead(200, headers).end(ledgerCsv(ledger.effects, merchant.code, merchant.currency));
      return undefined;
    },
    /** Server-sent events: first all callbacks so far, then each new callback with the balance after it. */
    "GET /api/events": (call) => {
      const login = loggedIn(call);
      const { response } = call;
      streamLimit.enter(call);
      response.writeHead(200, { "content-type": "text/event-stream" });
      const write = (text: string): void => {
        // A page that reads nothing loads the history again when it comes back.
        if (response.writableLength > UNREAD_MAX_BYTES) response.destroy();
        else response.write(text);
      };
      const send = (event: string, data: unknown): void => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      send("history", { callbacks: log.of(login.merchant.code, login.player), login: shown(login) });
      const stop = log.listen(login.merchant.code, login.player, (callback) =>
        send("callback", { callback, balance: balanceOf(login) }),
      );
      const heartbeat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
      streams.add(response);
      response.on("close", () => {
        stop();
        clearInterval(heartbeat);
        streams.delete(response);
      });
      return undefined;
    },
  };

  const { gameOrigins: games, sportsbookOrigin: sportsbook } = options;
  const site = await startPageServer(
    {
      api,
      folders: {
        "/": folder("page"),
        "/design/": folder("../design"),
        "/web-files/": folder("../../web-files"),
        "/look/": folder("../../look"),
        "/web-renderer/": folder("../../web-renderer"),
      },
      csp: `default-src 'none'; script-src 'self' ${sportsbook}; style-src 'self'; img-src 'self' ${games}; font-src 'self'; connect-src 'self'; frame-src ${games} ${sportsbook}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    },
    options.port,
    options.host,
  );
  const origin = options.origin ?? `http://localhost:${site.port}`;

  return {
    origin,
    port: site.port,
    walletUrl: wallet.url,
    ledger,
    async close() {
      robots.stop();
      for (const stream of streams) stream.destroy();
      const closed = new Promise((resolve) => site.server.close(resolve));
      site.server.closeAllConnections();
      await Promise.all([closed, wallet.close()]);
    },
  };
}

/** The page's language. A body without a language comes from a test or a script, and gets English. */
function languageField(body: unknown): Language {
  const { lang = "en" } = (body ?? {}) as { lang?: unknown };
  const language = LANGUAGES.find((one) => one === lang);
  if (language === undefined)
    throw new Refused(422, "VALIDATION_ERROR", `lang must be one of ${LANGUAGES.join(", ")}.`);
  return language;
}

function cookieOf(header: string | undefined): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(header ?? "")?.[1] ?? "";
}
