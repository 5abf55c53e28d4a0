/**
 * A small correct provider by docs/provider.md, with mistakes and habits to switch on: a GameService, a client of
 * WalletService and a spin hook, each over its own socket.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import grpc from "@grpc/grpc-js";
import { providerV1 } from "../../../sandbox/provider/wallet-client.ts";
import type { BugName, Use } from "./bugs.ts";

/** Differences from the usual provider that are also right. */
export interface Habits {
  /** The pause before each call. */
  readonly slowMs?: number;
  /** Ids as numbers, with spaces and letters of any script, or as long as they may be. */
  readonly ids?: "numbers" | "odd" | "long";
  /** The number of repeats of a bet before its refund. */
  readonly tries?: number;
  /** The time from the last repeat to the refund. */
  readonly refundLaterMs?: number;
  readonly deadlineMs?: number;
  /** Never repeats a bet that met OVERLOADED. */
  readonly dropsOverloaded?: true;
  /** The number of repeats of a PENDING or FAILED win. */
  readonly asksForWins?: number;
  /** Ends each lost or refused round by a win of 0. */
  readonly zeroWins?: true;
  /** Refunds and wins name the player by player_ref. */
  readonly byPlayer?: true;
  /** The hook answers at once, with an empty body. */
  readonly silentHook?: true;
  /** Only every n-th spin wins. */
  readonly winEvery?: number;
  /** A text at the end of each launch_url. */
  readonly launchUrlEnd?: string;
  /** Calls GetBalance before and after each round. */
  readonly asksBalance?: true;
  /** Calls and fields that not every provider uses. */
  readonly uses?: readonly Use[];
}

export interface Subject {
  /** host:port */
  readonly aggregator: string;
  readonly key: string;
  readonly bugs?: readonly BugName[];
  readonly habits?: Habits;
}

interface Opened {
  readonly session_id: string;
  readonly player_ref: string;
  readonly game_code: string;
  readonly currency: string;
  readonly language: string;
  readonly demo: boolean;
}

type Rpc = "GetBalance" | "PlaceBet" | "PayWin" | "RefundBet" | "Play" | "Reverse" | "EndRound";
type Request = Readonly<Record<string, string | number | boolean>>;
/** `code`: the service's code; NONE: the error has no code; CUT: the connection failed; LATE: the deadline passed. */
interface Result {
  readonly status: "SUCCESS" | "PENDING" | "FAILED" | "ERROR";
  readonly code: string;
  /** The status of a Play's win. */
  readonly win?: string;
}
type Unary = (
  request: Request,
  metadata: grpc.Metadata,
  options: grpc.CallOptions,
  callback: (
    error: grpc.ServiceError | null,
    reply?: { status?: string; error?: string; win_status?: string; round_state?: string },
  ) => void,
) => void;

const REPEATED_CODES = new Set(["SERVICE_UNAVAILABLE", "INTERNAL_ERROR", "OVERLOADED", "NONE", "CUT", "LATE"]);
const BET_MINOR = 250;
const WIN_MINOR = 700;
const FIRST_PAUSE_MS = 220;

export class ProviderUnderTest {
  readonly #subject: Subject;
  readonly #client: grpc.Client;
  readonly #metadata = new grpc.Metadata();
  readonly #pages = new Map<string, Opened>();
  readonly #newest = new Map<string, Opened>();
  readonly #counters = new Map<string, number>();
  readonly #closed = new AbortController();
  #spins = 0;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#client = new providerV1.WalletService(subject.aggregator, grpc.credentials.createInsecure(), {
      "grpc.initial_reconnect_backoff_ms": 200,
      "grpc.max_reconnect_backoff_ms": 500,
    });
    this.#metadata.set("authorization", `Bearer ${subject.key}`);
  }

  async listen(): Promise<{ source: URL; hook: URL; close(): Promise<void> }> {
    const games = new grpc.Server();
    games.addService(providerV1.GameService.service, {
      OpenGame: ({ request }: { request: Opened }, answer: (error: object | null, reply?: object) => void) =>
        answer(...this.#open(request)),
    });
    const port = await new Promise<number>((resolve, reject) => {
      games.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    const hook = createServer(async (request, response) => {
      const reply = await this.#spun(await bodyOf(request));
      response.writeHead(200, { "content-type": "application/json" }).end(reply);
    }).listen(0, "127.0.0.1");
    await once(hook, "listening");
    return {
      source: new URL(`http://127.0.0.1:${port}`),
      hook: new URL(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/spin`),
      close: async () => {
        this.#closed.abort();
        games.forceShutdown();
        this.#client.close();
        hook.closeAllConnections();
        await new Promise((resolve) => hook.close(resolve));
      },
    };
  }

  #has(bug: BugName): boolean {
    return this.#subject.bugs?.includes(bug) ?? false;
  }

  #uses(use: Use): boolean {
    return this.#habits.uses?.includes(use) ?? false;
  }

  get #habits(): Habits {
    return this.#subject.habits ?? {};
  }

  #open(request: Opened): [error: object | null, reply?: object] {
    if (this.#has("no Spanish") && request.language.startsWith("es"))
      return [{ code: grpc.status.INVALID_ARGUMENT, details: "language" }];
    const token = this.#has("session in address") ? request.session_id : randomUUID();
    this.#pages.set(token, request);
    this.#newest.set(request.player_ref, request);
    const end = this.#habits.launchUrlEnd ?? "";
    return [null, { launch_url: `https://games.example/${request.game_code}?token=${token}${end}` }];
  }

  /** The hook. It finds the page by the shown address, like a browser. */
  async #spun(body: { launch_url: string }): Promise<string> {
    const page = this.#pages.get(new URL(body.launch_url).searchParams.get("token") ?? "");
    if (page === undefined) throw new Error("no such page");
    const opened = this.#has("session by player") ? (this.#newest.get(page.player_ref) ?? page) : page;
    this.#spins += 1;
    const wins = this.#spins % (this.#habits.winEvery ?? 1) === 0;
    const played = this.#play(opened, wins).catch((cause: unknown) => {
      if (!this.#closed.signal.aborted) throw cause;
      return "waiting";
    });
    if (this.#habits.silentHook) return "";
    const isEarly = this.#has("shows before the answer");
    const shown = isEarly ? "played" : await Promise.race([played, this.#pause(1_000).then(() => "waiting")]);
    return JSON.stringify({ shown, bet_minor: BET_MINOR, win_minor: wins ? WIN_MINOR : 0 });
  }

  async #play(opened: Opened, wins: boolean): Promise<string> {
    if (opened.demo && !this.#has("demo for money")) return "played";
    if (this.#habits.asksBalance) await this.#call("GetBalance", { session_id: opened.session_id });
    const round_id = this.#has("one round for all") ? "round" : this.#id(opened, "round");
    const bet = {
      session_id: opened.session_id,
      tx_id: this.#id(opened, "bet"),
      round_id,
      amount_minor: this.#has("whole units") ? Math.round(BET_MINOR / 100) : BET_MINOR,
      currency: this.#has("fixed currency") ? "USD" : opened.currency,
      ...(this.#uses("kinds") && { kind: "feature_buy" }),
    };
    if (this.#uses("play") && wins) return this.#playAtOnce(opened, bet);
    const isPaid = await this.#takeBet(opened, bet);
    if (this.#habits.zeroWins && !(isPaid && wins))
      await this.#call("PayWin", { ...bet, tx_id: this.#id(opened, "win"), amount_minor: 0 });
    if (!isPaid) return "refused";
    if (wins) void this.#win(opened, bet).catch(() => {});
    else void this.#end(opened, bet, "ends").catch(() => {});
    return "played";
  }

  /** A round whose result is known with its bet. */
  async #playAtOnce(opened: Opened, bet: Request): Promise<string> {
    const { session_id = "", round_id = "", currency = "", tx_id = "", amount_minor = 0, kind = "" } = bet;
    let ids = { bet: tx_id, win: this.#id(opened, "win") };
    for (let n = 0; ; n += 1) {
      const result = await this.#call("Play", {
        ...{ session_id, round_id, currency, round_ended: this.#uses("ends") },
        bet: { tx_id: ids.bet, amount_minor, kind },
        win: { tx_id: ids.win, amount_minor: WIN_MINOR, ...this.#winKind() },
      } as unknown as Request);
      const { status, code, win } = result;
      const played = { ...bet, tx_id: ids.bet };
      if (win === "PENDING" && this.#has("pays a Play's win again")) void this.#win(opened, played).catch(() => {});
      if (win === "FAILED" && this.#has("refunds a Play")) await this.#refund(opened, played);
      if (status === "SUCCESS") return "played";
      const isOpen = status === "PENDING" || (status === "ERROR" && REPEATED_CODES.has(code));
      if (!isOpen) return "refused";
      if (n >= (this.#habits.tries ?? 3)) {
        await this.#refund(opened, played);
        return "refused";
      }
      await this.#backOff(n);
      if (this.#has("new Play ids")) ids = { bet: this.#id(opened, "bet"), win: this.#id(opened, "win") };
    }
  }

  #winKind(): Request {
    if (!this.#uses("kinds")) return {};
    return { kind: this.#has("kind of its own") ? "bonus_bonanza" : "free_rounds" };
  }

  /** Ends the round if the provider ends it in this way, and repeats that until it succeeds. */
  async #end(opened: Opened, { round_id = "" }: Request, by: Use): Promise<void> {
    if (!this.#uses(by)) return;
    for (let n = 0; ; n += 1) {
      const { status, code } = await this.#call("EndRound", { session_id: opened.session_id, round_id });
      if (status !== "ERROR" || !REPEATED_CODES.has(code) || this.#has("one try to end")) return;
      await this.#backOff(n);
    }
  }

  /** Whether the round may start. */
  async #takeBet(opened: Opened, bet: Request): Promise<boolean> {
    const result = await this.#bet(opened, bet);
    const { status, code } = result;
    if (status === "SUCCESS") {
      if (this.#has("never stops")) for (let n = 0; n < 4; n += 1) await this.#call("PlaceBet", bet);
      if (this.#has("refunds what was played")) await this.#refund(opened, bet);
      return true;
    }
    if (status === "PENDING" && this.#has("pending is success")) return true;
    if (status === "PENDING" && this.#has("pending is a rejection")) return false;
    if (code === "TRANSACTION_REVERSED" && this.#has("plays reversed")) return true;
    if (code === "ROUND_ENDED" && this.#has("plays ended rounds")) return true;
    if (status === "FAILED" && this.#has("bets again"))
      await this.#call("PlaceBet", { ...bet, tx_id: this.#id(opened, "bet") });
    if (code === "TRANSACTION_MISMATCH" && this.#has("new id after mismatch"))
      await this.#call("PlaceBet", { ...bet, tx_id: this.#id(opened, "bet") });
    if (code === "INVALID_API_KEY" && this.#has("hammers with a wrong key"))
      for (let n = 0; n < 12; n += 1) await this.#call("PlaceBet", bet);
    const isOver = status === "FAILED" || (status === "ERROR" && !REPEATED_CODES.has(code));
    const refunds =
      (status === "FAILED" && this.#has("refunds rejected bets")) ||
      (code === "SESSION_EXPIRED" && this.#has("refunds expired"));
    if (isOver && !refunds) return false;
    if (this.#isDropped(code)) return false;
    await this.#pause(this.#habits.refundLaterMs ?? 0);
    await this.#refund(opened, bet);
    return this.#has("plays after the refund");
  }

  #isDropped(code: string): boolean {
    return (
      (code === "OVERLOADED" && this.#habits.dropsOverloaded === true) ||
      (code === "SERVICE_UNAVAILABLE" && this.#has("error is a rejection")) ||
      (code === "INTERNAL_ERROR" && this.#has("internal is final")) ||
      (code === "LATE" && this.#has("late is a rejection")) ||
      (code === "CUT" && this.#has("cut is a rejection"))
    );
  }

  /** Repeats the bet while it is open, a few times. */
  async #bet(opened: Opened, bet: Request): Promise<Result> {
    const tries = this.#has("storm") ? 20 : (this.#habits.tries ?? 3);
    let request = bet;
    for (let n = 0; ; n += 1) {
      const result = await this.#call("PlaceBet", request);
      const { status, code } = result;
      const isUnknownCode = status === "FAILED" && !/^(INSUFFICIENT_FUNDS|PLAYER_BLOCKED)$/.test(code);
      const isOpen =
        status === "PENDING" ||
        (status === "ERROR" && REPEATED_CODES.has(code)) ||
        (isUnknownCode && this.#has("known codes only"));
      const isShown = this.#has("pending is success") || this.#has("pending is a rejection");
      // "For ever" is long enough here to be noticed on a busy machine.
      const most = isUnknownCode ? 20 : tries;
      if (!isOpen || n >= most || this.#isDropped(code) || (status === "PENDING" && isShown)) return result;
      await this.#backOff(n);
      if (this.#has("new bet id")) request = { ...request, tx_id: this.#id(opened, "bet") };
      if (this.#has("other content")) request = { ...request, round_id: this.#id(opened, "round") };
      if (this.#has("forgets the kind")) request = { ...request, kind: "" };
    }
  }

  async #refund(opened: Opened, bet: Request): Promise<void> {
    if (this.#uses("reverse")) return this.#reverse(opened, bet);
    const refund = {
      ...this.#player(opened, bet),
      tx_id: this.#id(opened, "refund"),
      ref_tx_id: this.#has("refund of nothing") ? bet.round_id : bet.tx_id,
      amount_minor: this.#has("half a refund") ? BET_MINOR / 2 : bet.amount_minor,
      ...(this.#uses("settles") && { unless_settled: true }),
    } as Request;
    const { status } = await this.#deliver("RefundBet", refund, opened);
    const again =
      (status === "PENDING" && this.#has("refunds pending refunds")) ||
      (status === "FAILED" && this.#has("refunds lost refunds"));
    if (again) await this.#call("RefundBet", { ...refund, tx_id: this.#id(opened, "refund") });
  }

  async #reverse(opened: Opened, bet: Request): Promise<void> {
    const { session_id } = opened;
    const reverse = { session_id, tx_id: this.#id(opened, "reverse"), ref_tx_id: bet.tx_id } as Request;
    await this.#deliver("Reverse", reverse, opened);
    if (!this.#has("reverses and refunds")) return;
    const refund = { ...bet, tx_id: this.#id(opened, "refund"), ref_tx_id: bet.tx_id } as Request;
    await this.#deliver("RefundBet", refund, opened);
  }

  async #win(opened: Opened, { kind: _, ...bet }: Request): Promise<void> {
    const { round_id } = bet;
    const win = {
      ...this.#player(opened, bet),
      ...this.#winKind(),
      ...(this.#uses("settles") && { settles: true, bet_tx_id: this.#has("names another bet") ? round_id : bet.tx_id }),
      ...(this.#uses("ends") && { round_ended: true }),
      tx_id: this.#id(opened, "win"),
      round_id: this.#has("win in a round of its own") ? this.#id(opened, "round") : round_id,
      amount_minor: WIN_MINOR,
    } as Request;
    const { status, code } = await this.#deliver("PayWin", win, opened);
    if (code === "BET_SETTLED" && this.#has("pays settled bets again")) {
      const { settles: _settles, bet_tx_id: _bet, ...plain } = win;
      await this.#call("PayWin", { ...plain, tx_id: this.#id(opened, "win") });
    }
    if (this.#has("settles twice"))
      await this.#call("PayWin", { ...win, tx_id: this.#id(opened, "win"), amount_minor: 1 });
    await this.#end(opened, bet, "end call");
    if (this.#has("bets in ended rounds")) await this.#call("PlaceBet", { ...bet, tx_id: this.#id(opened, "bet") });
    if (status === "PENDING" && this.#has("pays pending wins again"))
      await this.#call("PayWin", { ...win, tx_id: this.#id(opened, "win") });
    if (status === "FAILED" && this.#has("refunds when the win fails")) await this.#refund(opened, bet);
    for (let n = 0; status !== "SUCCESS" && n < (this.#habits.asksForWins ?? 0); n += 1) {
      await this.#backOff(n);
      await this.#call("PayWin", win);
    }
  }

  /** Repeats a credit until it is delivered. */
  async #deliver(rpc: "PayWin" | "RefundBet" | "Reverse", first: Request, opened: Opened): Promise<Result> {
    let request = first;
    const isWin = rpc === "PayWin";
    for (let n = 0; ; n += 1) {
      const result = await this.#call(rpc, request);
      if (result.status !== "ERROR" || !REPEATED_CODES.has(result.code)) return result;
      if (this.#has(isWin ? "one try to pay" : "one try to refund")) return result;
      if (rpc === "Reverse" && this.#has("one try to reverse")) return result;
      if (n === 2 && isWin && this.#has("gives up paying")) return result;
      if (result.code === "CUT" && this.#has(isWin ? "cut ends the win" : "cut ends the refund")) return result;
      await this.#backOff(n);
      if (this.#has(isWin ? "new win id" : "new refund id"))
        request = { ...request, tx_id: this.#id(opened, isWin ? "win" : "refund") };
      if (isWin && this.#has("forgets the kind")) request = { ...request, kind: "" };
    }
  }

  #player(opened: Opened, bet: Request): Request {
    if (!this.#habits.byPlayer) return bet;
    const { session_id: _, ...others } = bet;
    return { ...others, player_ref: opened.player_ref, game: opened.game_code };
  }

  #id({ session_id }: Opened, kind: string): string {
    if (this.#has("ids begin anew") && kind !== "round") {
      const count = (this.#counters.get(session_id) ?? 0) + 1;
      this.#counters.set(session_id, count);
      return `${count}`;
    }
    const random = randomUUID();
    if (this.#habits.ids === "numbers") return String(BigInt(`0x${random.replaceAll("-", "")}`));
    if (this.#habits.ids === "odd") return `${kind} Nº ${random} ção/"🎰'`;
    return this.#habits.ids === "long" ? `${kind}-${random}`.padEnd(95, "x") : `${kind}-${random}`;
  }

  async #backOff(n: number): Promise<void> {
    if (this.#has("storm")) return;
    if (this.#has("known codes only")) return this.#pause(100);
    await this.#pause(this.#has("steady pauses") ? 2 * FIRST_PAUSE_MS : FIRST_PAUSE_MS * 2 ** n);
  }

  /** Pauses. Ends with an error when the provider is closed, so that no work continues. */
  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closed.signal });
  }

  async #call(rpc: Rpc, request: Request): Promise<Result> {
    await this.#pause(this.#habits.slowMs ?? 0);
    const options = this.#has("no deadline") ? {} : { deadline: Date.now() + (this.#habits.deadlineMs ?? 9_500) };
    return new Promise((resolve) => {
      const call = (this.#client as unknown as Record<Rpc, Unary>)[rpc].bind(this.#client);
      call(request, this.#metadata, options, (error, reply) => {
        if (error === null)
          return resolve({
            // The reply of EndRound has no status.
            status: (reply?.status ?? "SUCCESS").replace("TRANSACTION_STATUS_", "") as Result["status"],
            code: reply?.error ?? "",
            win: (reply?.win_status ?? "").replace("TRANSACTION_STATUS_", ""),
          });
        const [code] = error.metadata?.get("error-code") ?? [];
        const other = { [grpc.status.UNAVAILABLE]: "CUT", [grpc.status.DEADLINE_EXCEEDED]: "LATE" }[
          error.code as number
        ];
        resolve({ status: "ERROR", code: String(code ?? other ?? "NONE") });
      });
    });
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ launch_url: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as { launch_url: string };
}
