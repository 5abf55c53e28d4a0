import { clockOf, type MatchClock } from "./clock.ts";
import { type Fixture, playedAt, readFixture, stateAt, upcoming } from "./fixture.ts";
import { LEAGUES } from "./leagues.ts";
import { type Market, marketsOf, readSelection } from "./markets.ts";
import { type Outcome, outcomeOf, type Score } from "./outcome.ts";
import type { MatchState, Sport } from "./scores.ts";

type Phase = "upcoming" | "live" | "finished";

/** A match with its current state. */
export interface BookEvent {
  readonly id: string;
  readonly sport: Sport;
  readonly league: string;
  readonly league_name: string;
  readonly home: string;
  readonly away: string;
  /** Milliseconds since 1970. */
  readonly starts_at: number;
  readonly phase: Phase;
  readonly score: Score;
  /** null: the match is not live. */
  readonly clock: MatchClock | null;
  /** Empty when the match is finished. */
  readonly markets: readonly Market[];
}

/** A selection that can be placed now, with the texts for betslip and bet. */
export interface Selection {
  readonly id: string;
  readonly odds: number | null;
  readonly event: BookEvent;
}

/** Odds change at most once within this time, so that two requests within it get the same odds. */
const TICK_MS = 4_000;
const PRICED_MAX = 500;
/** The board is computed once per tick, even if many pages request it. */
interface Board {
  readonly tick: number;
  readonly events: readonly BookEvent[];
}

/**
 * The book: the matches and odds on offer, and the results of past matches. All of these are computed from the seed and
 * the time since `openedAt`, except results and odds that were set by hand.
 */
export class Book {
  readonly #seed: number;
  readonly #now: () => number;
  readonly #openedAt: number;
  readonly #given = new Map<string, Score>();
  /** Odds that were set by hand, by selection. */
  readonly #givenOdds = new Map<string, number>();
  /** Prices of the events on the board, by the values from which they are computed. */
  readonly #priced = new Map<string, { readonly from: string; readonly markets: readonly Market[] }>();
  #board: Board | undefined;

  constructor(seed: number, now: () => number) {
    this.#seed = seed;
    this.#now = now;
    this.#openedAt = now();
  }

  /** All matches that can be bet on, sorted by league and then by start. */
  board(): readonly BookEvent[] {
    const tick = this.#tick();
    if (this.#board?.tick !== tick) {
      const events = LEAGUES.flatMap((league) => upcoming(this.#seed, league, tick * TICK_MS)).map((fixture) =>
        this.#event(fixture),
      );
      this.#board = { tick, events };
    }
    return this.#board.events.filter(({ id }) => !this.#given.has(id));
  }

  /** One match, even a finished one. undefined: there is no match with this id. */
  event(id: string): BookEvent | undefined {
    const onBoard = this.board().find((event) => event.id === id);
    if (onBoard !== undefined) return onBoard;
    const fixture = readFixture(this.#seed, id);
    return fixture && this.#event(fixture);
  }

  selection(id: string): Selection | undefined {
    const named = readSelection(id);
    const event = named && this.event(named.event);
    if (event === undefined) return undefined;
    const offer = event.markets.flatMap(({ offers }) => offers).find((one) => one.id === id);
    return { id, odds: offer?.odds ?? null, event };
  }

  /** The outcome of a selection. undefined: the match is not over. */
  outcome(id: string): { readonly outcome: Outcome; readonly score: Score } | undefined {
    const named = readSelection(id);
    const event = named && this.event(named.event);
    if (named === undefined || event?.phase !== "finished") return undefined;
    return { outcome: outcomeOf(named.market, named.pick, event.score), score: event.score };
  }

  /** Ends a match now with this score. false: there is no such match, or the match is over. */
  finish(id: string, score: Score): boolean {
    const phase = this.event(id)?.phase;
    if (phase === undefined || phase === "finished") return false;
    this.#given.set(id, score);
    return true;
  }

  /** Sets the odds of a selection (in hundredths) until the match ends. false: the selection is not on offer. */
  setOdds(id: string, odds: number): boolean {
    if (this.selection(id)?.odds == null) return false;
    this.#givenOdds.set(id, odds);
    this.#board = undefined;
    return true;
  }

  #tick(): number {
    return Math.floor((this.#now() - this.#openedAt) / TICK_MS);
  }

  #event(fixture: Fixture): BookEvent {
    const { id, league, home, away, startsAt, endsAt, edge } = fixture;
    // Phase, score and prices are computed for the same tick.
    const now = this.#tick() * TICK_MS;
    const given = this.#given.get(id);
    const phase = given !== undefined || now >= endsAt ? "finished" : now >= startsAt ? "live" : "upcoming";
    const state = stateAt(this.#seed, fixture, now);
    const opening = { sport: league.sport, edge, score: { home: 0, away: 0 }, left: 1 };
    return {
      id,
      sport: league.sport,
      league: league.code,
      league_name: league.name,
      home,
      away,
      starts_at: this.#openedAt + startsAt,
      phase,
      score: given ?? (phase === "finished" ? fixture.final : state.score),
      clock: phase === "live" ? clockOf(league.sport, playedAt(fixture, now), state.score) : null,
      markets: phase === "finished" ? [] : this.#markets(id, state, opening).map((market) => this.#withGiven(market)),
    };
  }

  #withGiven(market: Market): Market {
    if (!market.offers.some(({ id }) => this.#givenOdds.has(id))) return market;
    return {
      ...market,
      offers: market.offers.map((offer) => ({ ...offer, odds: this.#givenOdds.get(offer.id) ?? offer.odds })),
    };
  }

  #markets(id: string, state: MatchState, opening: MatchState): readonly Market[] {
    const from = JSON.stringify(state);
    const known = this.#priced.get(id);
    if (known?.from === from) return known.markets;
    const markets = marketsOf(id, state, opening);
    if (this.#priced.size >= PRICED_MAX) this.#priced.clear();
    this.#priced.set(id, { from, markets });
    return markets;
  }
}
