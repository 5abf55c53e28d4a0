/**
 * Players without a person. They play real rounds: a launch through the service, then the provider's game as a browser
 * plays it. So the service has traffic that the back office can show.
 */
import { randomInt } from "node:crypto";
import { Refused } from "../http/page-server.ts";
import type { Currency, Ledger } from "./ledger.ts";
import { playersOf } from "./players.ts";
import { type Credentials, callService } from "./service-client.ts";

/** The rounds of one run, and how many of them begin in a second. */
const ROUNDS = 1_000;
const ROUNDS_A_SECOND = 25;
const ROBOTS_OF_A_MERCHANT = 3;
/** Robots choose among this many of the smallest bets on offer. */
const BETS = 3;
const TIMEOUT_MS = 30_000;

/** How far the newest run is. */
export interface RobotRounds {
  readonly rounds: number;
  readonly played: number;
  /** Rounds whose bet was refused, or refunded because the wallet did not answer. */
  readonly refused: number;
  readonly running: boolean;
  /** Why the run ended early; null: it did not. */
  readonly error: string | null;
}

type Merchant = Credentials & { readonly currency: Currency };

/** An open game of one robot. */
interface Seat {
  readonly game: URL;
  readonly bets: readonly number[];
}

export class Robots {
  readonly #serviceUrl: string;
  readonly #merchants: readonly Merchant[];
  #now: RobotRounds = { rounds: ROUNDS, played: 0, refused: 0, running: false, error: null };
  #stop = new AbortController();

  constructor(serviceUrl: string, merchants: readonly Merchant[], ledger: Ledger) {
    this.#serviceUrl = serviceUrl;
    this.#merchants = merchants;
    for (const { code, currency } of merchants) {
      const openingMinor = playersOf(currency).reduce((sum, player) => sum + player.openingMinor, 0n);
      for (const id of robotsOf(currency)) ledger.addPlayer(code, id, openingMinor);
    }
  }

  show(): RobotRounds {
    return this.#now;
  }

  /** Starts a run. Does nothing if a run is already in progress. */
  start(): RobotRounds {
    if (this.#now.running) return this.#now;
    this.#now = { rounds: ROUNDS, played: 0, refused: 0, running: true, error: null };
    void this.#run().then(
      () => this.#change({ running: false }),
      (cause: unknown) =>
        this.#change({ running: false, error: cause instanceof Refused ? cause.code : "SERVICE_UNREACHABLE" }),
    );
    return this.#now;
  }

  stop(): void {
    this.#stop.abort();
  }

  #change(change: Partial<RobotRounds>): void {
    this.#now = { ...this.#now, ...change };
  }

  async #run(): Promise<void> {
    const seats = await Promise.all(
      this.#merchants.flatMap((merchant) => robotsOf(merchant.currency).map((robot) => this.#sit(merchant, robot))),
    );
    const begin = performance.now();
    let begun = 0;
    let isOver = false;
    // Each robot takes the next round when it has ended its own. A fault of one ends the run.
    const play = async (seat: Seat): Promise<void> => {
      while (begun < ROUNDS && !isOver) {
        const dueMs = begin + (begun++ * 1_000) / ROUNDS_A_SECOND;
        await new Promise((resolve) => setTimeout(resolve, Math.max(dueMs - performance.now(), 0)));
        const isPlayed = await this.#round(seat);
        this.#change(isPlayed ? { played: this.#now.played + 1 } : { refused: this.#now.refused + 1 });
      }
    };
    try {
      await Promise.all(seats.map(play));
    } finally {
      isOver = true;
    }
  }

  /** Launches a slot for a robot. */
  async #sit(merchant: Merchant, robot: string): Promise<Seat> {
    const { items } = (await this.#service(merchant, "GET", "/v1/games")) as {
      items: { type: string; provider: string; code: string }[];
    };
    const slots = items.filter(({ type }) => type === "slot");
    const slot = slots[randomInt(Math.max(slots.length, 1))];
    if (slot === undefined) throw new Refused(404, "GAME_NOT_FOUND", "This merchant has no slots.");
    const { launch_url } = (await this.#service(merchant, "POST", "/v1/game/launch", {
      player_id: robot,
      game: slot.code,
      provider: slot.provider,
      lang: "en",
    })) as { launch_url: string };
    const game = new URL(launch_url);
    const { bets } = await this.#game<{ bets: number[] }>(game, "session");
    return { game, bets: bets.slice(0, BETS) };
  }

  /** Plays a round to its end. Resolves to false if no bet was taken. */
  async #round({ game, bets }: Seat): Promise<boolean> {
    const amount_minor = bets[randomInt(bets.length)];
    const { outcome, round } = await this.#game<{ outcome: string; round?: string }>(game, "spin", { amount_minor });
    if (outcome === "pending") await this.#game(game, "give-back", {});
    if (outcome === "spun") await this.#game(game, "payout", { round });
    return outcome === "spun";
  }

  async #service(merchant: Merchant, method: "GET" | "POST", target: string, payload?: unknown): Promise<unknown> {
    const reply = await callService(this.#serviceUrl, merchant, method, target, payload);
    if (!reply.ok) throw new Refused(reply.status, reply.code, reply.message);
    return reply.data;
  }

  /** Calls the game's own server, with the token of the launch. */
  async #game<Reply>(game: URL, name: string, body?: object): Promise<Reply> {
    const response = await fetch(new URL(`/api/${name}`, game), {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-play-token": game.hash.slice(1), "content-type": "application/json" },
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Refused(response.status, "LAUNCH_FAILED", await response.text());
    return (await response.json()) as Reply;
  }
}

const robotsOf = (currency: string): string[] =>
  Array.from({ length: ROBOTS_OF_A_MERCHANT }, (_, i) => `robot-${i + 1}-${currency.toLowerCase()}`);
