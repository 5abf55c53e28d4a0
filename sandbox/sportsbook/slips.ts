/** Placing: what a page asks for becomes bets, their slip goes to the service, and is repeated until its outcome is known. */
import { randomBytes } from "node:crypto";
import { Refused } from "../http/page-server.ts";
import { type Bet, type BetLeg, stakeTx } from "./bet.ts";
import type { Book, Selection } from "./model/book.ts";
import { readSelection } from "./model/markets.ts";
import { potentialMinor } from "./model/payout.ts";
import { type ExchangedSession, ServiceRefusal, type SlipReply, type SportsbookClient } from "./service-client.ts";
import type { SlipRequest } from "./slip-request.ts";

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 30_000;
/** What a wallet may be paid at once, whatever the currency. */
const RETURN_MINOR_MAX = 9_999_999_999n;
const SLIPS_MAX = 10_000;

/** What became of a slip, as far as it is known. `pending`: it is asked for again, and the bets tell later. */
export interface PlacedSlip {
  readonly status: "placed" | "pending" | "failed";
  /** Why it failed: the first bet's own code. */
  readonly error: string;
  readonly bets: readonly Bet[];
  readonly balanceMinor: bigint | null;
}

export class Slips {
  readonly #client: SportsbookClient;
  readonly #book: Book;
  readonly #add: (bets: readonly Bet[]) => void;
  readonly #told: (player: string, balanceMinor: bigint | null) => void;
  /** By player and the page's own slip id: a repeat gets the same slip, never a second one. */
  readonly #slips = new Map<string, Promise<PlacedSlip>>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  /** `add` keeps the bets, before any money moves; `told` hears each new balance. */
  constructor(client: SportsbookClient, book: Book, add: (bets: readonly Bet[]) => void, told: (player: string, balanceMinor: bigint | null) => void) {
    this.#client = client;
    this.#book = book;
    this.#add = add;
    this.#told = told;
  }

  /** Throws {@link Refused}: 409 when odds moved or a match is over (nothing is placed), 422 when the service refuses, 401 when the session is over. */
  place(session: ExchangedSession, request: SlipRequest): Promise<PlacedSlip> {
    const key = `${session.player_ref} ${request.slipId}`;
    const known = this.#slips.get(key);
    if (known !== undefined) return known;
    const bets = this.#take(session, request);
    const placed = this.#first(session, bets);
    this.#slips.set(key, placed);
    const oldest = this.#slips.keys().next().value;
    if (this.#slips.size > SLIPS_MAX && oldest !== undefined) this.#slips.delete(oldest);
    // A slip that was refused never was: the page may send it again with another session or other odds.
    placed.catch(() => this.#slips.delete(key));
    return placed;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** The bets, if every selection can still be had at the odds that the player saw. */
  #take(session: ExchangedSession, request: SlipRequest): Bet[] {
    const changed = request.bets
      .flatMap(({ selections }) => selections)
      .map((asked) => ({ asked, now: this.#book.selection(asked.id) }))
      .filter(({ asked, now }) => now?.odds !== asked.odds);
    if (changed.length > 0) throw new Refused(409, "ODDS_CHANGED", "The odds moved, or a selection is gone. Nothing was placed.");
    for (const { stakeMinor, selections } of request.bets) {
      if (
        potentialMinor(
          stakeMinor,
          selections.map(({ odds }) => odds),
        ) > RETURN_MINOR_MAX
      )
        throw new Refused(422, "RETURN_TOO_HIGH", "This bet could return more than is paid.");
    }
    const slip = randomBytes(9).toString("base64url").replaceAll("-", "x");
    return request.bets.map(({ selections, stakeMinor }, i) => ({
      id: `${slip}-${i + 1}`,
      slip,
      player: session.player_ref,
      currency: session.currency,
      stakeMinor,
      placedAt: Date.now(),
      legs: selections.map(({ id }) => legOf(this.#book.selection(id) as Selection)),
      state: "placing",
      error: "",
      result: null,
      returnMinor: 0n,
      paying: false,
    }));
  }

  async #first(session: ExchangedSession, bets: readonly Bet[]): Promise<PlacedSlip> {
    try {
      const reply = await this.#send(session, bets);
      this.#add(bets);
      return this.#learn(session, bets, reply, PAUSE_MS_MIN);
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || !error.again) throw error;
      // Nobody knows whether it was taken: the same slip is asked for again until somebody does.
      this.#add(bets);
      this.#again(session, bets, PAUSE_MS_MIN);
      return { status: "pending", error: error.code, bets, balanceMinor: null };
    }
  }

  #send(session: ExchangedSession, bets: readonly Bet[]): Promise<SlipReply> {
    const wire = bets.map((bet) => ({ tx_id: stakeTx(bet), round_id: bet.id, amount_minor: String(bet.stakeMinor) }));
    return this.#client.placeBetslip(session.session_id, (bets[0] as Bet).slip, wire);
  }

  #learn(session: ExchangedSession, bets: readonly Bet[], reply: SlipReply, pause: number): PlacedSlip {
    this.#told(session.player_ref, reply.balanceMinor);
    if (reply.status === "pending") this.#again(session, bets, pause);
    const errors = new Map(reply.bets.map(({ tx_id, error }) => [tx_id, error]));
    for (const bet of bets) {
      if (reply.status === "success") bet.state = "open";
      if (reply.status !== "failed") continue;
      bet.state = "rejected";
      bet.error = errors.get(stakeTx(bet)) ?? "";
    }
    const status = reply.status === "success" ? "placed" : reply.status;
    return { status, error: bets.find(({ error }) => error !== "" && error !== "NOT_SENT")?.error ?? "", bets, balanceMinor: reply.balanceMinor };
  }

  #again(session: ExchangedSession, bets: readonly Bet[], pause: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const next = Math.min(pause * 2, PAUSE_MS_MAX);
      this.#send(session, bets).then(
        (reply) => this.#learn(session, bets, reply, next),
        (error: unknown) => {
          if (error instanceof ServiceRefusal && !error.again) {
            for (const bet of bets) Object.assign(bet, { state: "rejected", error: error.code });
          } else this.#again(session, bets, next);
        },
      );
    }, pause);
    this.#timers.add(timer);
  }
}

function legOf({ id, odds, event }: Selection): BetLeg {
  const named = readSelection(id);
  if (named === undefined || odds === null) throw new Error(`${id} is no selection`);
  const { sport, home, away } = event;
  return {
    selection: id,
    event: event.id,
    sport,
    home,
    away,
    market: named.market.kind,
    line: named.market.line,
    pick: named.pick,
    odds,
    outcome: null,
    score: null,
  };
}
