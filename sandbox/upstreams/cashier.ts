/** A simulated upstream's calls to its connector, and what became of each. */
import {
  type Cashier,
  DEADLINE_MS,
  type Exchange,
  HANG_UP_AFTER_MS,
  type Method,
  type WalletAnswer,
  type WalletRequest,
} from "../provider/wallet-client.ts";
import type { Tap, Tapped } from "./tap.ts";
import type { UpstreamCall } from "./wire/fake-server.ts";

/** What the upstreams' calls need. */
export interface Surroundings {
  readonly tap: Tap;
  /** The merchants' callbacks about these transactions; or the balance queries of the game in a time, in ms since 1970. */
  readonly callbacks: (wanted: Wanted) => readonly Exchange[];
}

interface Wanted {
  readonly txIds: readonly string[];
  readonly game: string;
  readonly from: number;
  readonly until: number;
}

type Read = Pick<WalletAnswer, "status" | "error" | "balanceMinor">;
export type Send = (call: UpstreamCall) => Promise<string>;

const ROUNDS_MAX = 100;
const LOST: Read = { status: "lost", error: "", balanceMinor: null };

/** One player's game at an upstream. A subclass says what the upstream's API looks like. */
export abstract class UpstreamCashier implements Cashier {
  readonly #connector: string;
  readonly #game: string;
  readonly #around: Surroundings;
  /** The bets of each round that were taken and not given back. */
  readonly #bets = new Map<string, Set<string>>();
  isClosed = false;

  /** `connector`: the address of the connector's wallet API. `game`: the code of the game. */
  constructor(connector: string, game: string, around: Surroundings) {
    this.#connector = connector;
    this.#game = game;
    this.#around = around;
  }

  /** Sends what the upstream sends for this movement of money, and returns the connector's last answer. */
  protected abstract say(method: Method, request: WalletRequest, send: Send): Promise<string>;
  /** The meaning of an answer. */
  protected abstract read(answer: string, currency: string): Read;

  async call(method: Method, request: WalletRequest, hangUp = false): Promise<WalletAnswer> {
    const from = Date.now();
    const upstream: Exchange[] = [];
    const send: Send = async ({ path, headers, body }) => {
      const exchange = { title: `POST ${path.split("?")[0]}`, headers, request: body, answer: "" };
      upstream.push(exchange);
      const signal = AbortSignal.timeout(hangUp ? HANG_UP_AFTER_MS : DEADLINE_MS);
      const reply = await fetch(`${this.#connector}${path}`, { method: "POST", headers, body, signal });
      exchange.answer = await reply.text();
      return exchange.answer;
    };
    let read = LOST;
    try {
      read = this.read(await this.say(method, request, send), request.currency ?? "");
    } catch {
      // The connector does not answer, or not in time: nobody knows what it did.
    }
    this.#remember(method, request, read);
    const until = Date.now();
    return { ...read, wireId: "", ms: until - from, translation: this.#translation(upstream, from, until, read) };
  }

  /** The bet that a call is about: a win belongs to the newest bet of its round. */
  protected betOf({ tx_id = "", ref_tx_id, round_id = "" }: WalletRequest): string {
    return ref_tx_id ?? [...(this.#bets.get(round_id) ?? [])].at(-1) ?? tx_id;
  }

  #remember(method: Method, { tx_id = "", ref_tx_id = "", round_id = "" }: WalletRequest, { status }: Read): void {
    const bets = this.#bets.get(round_id) ?? new Set();
    if (method === "PlaceBet" && status === "success") this.#bets.set(round_id, bets.add(tx_id));
    if (method === "RefundBet") bets.delete(ref_tx_id);
    const [oldest] = this.#bets.keys();
    if (this.#bets.size > ROUNDS_MAX && oldest !== undefined) this.#bets.delete(oldest);
  }

  /** The later steps are read when a page shows them, because a callback may come after the answer. */
  #translation(upstream: readonly Exchange[], from: number, until: number, { status }: Read) {
    const { tap, callbacks } = this.#around;
    const game = this.#game;
    const said = upstream.map(({ request }) => request).join("\n");
    const made = (): readonly Tapped[] => {
      const fitting = tap.calls.filter((call) => call.at >= from && belongs(call, said));
      // A connector goes on after its caller has hung up.
      return status === "lost" ? fitting.slice(0, 1) : fitting.filter(({ at }) => at <= until);
    };
    return {
      upstream,
      get connector() {
        return made().map(({ method, request, answer }) => ({
          title: method,
          headers: {},
          request: JSON.stringify(request),
          answer: answer === undefined ? "" : JSON.stringify(answer),
        }));
      },
      get wallet() {
        const txIds = made().flatMap(({ answer }) => (typeof answer?.tx_id === "string" ? [answer.tx_id] : []));
        return callbacks({ txIds, game, from, until });
      },
    };
  }
}

/** Whether a connector's call is about what the upstream said: the ids of the call are in its text. */
function belongs({ request }: Tapped, said: string): boolean {
  const ids = [request.round_id, request.tx_id, request.ref_tx_id, request.player_ref].filter(
    (id) => typeof id === "string",
  );
  // A connector may begin its ids with a letter and a hyphen.
  return ids.length === 0 || ids.some((id) => said.includes(id.replace(/^[a-z]-/, "")));
}
