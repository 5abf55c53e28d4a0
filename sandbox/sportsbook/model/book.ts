import { type Fixture, playedAt, readFixture, stateAt, upcoming } from "./fixture.ts";
import { LEAGUES } from "./leagues.ts";
import { type Market, marketsOf, readSelection } from "./markets.ts";
import { type Outcome, outcomeOf, type Score } from "./outcome.ts";
import type { MatchState, Sport } from "./scores.ts";

export type Phase = "upcoming" | "live" | "finished";

/** A match as it stands now. */
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
  /** How much of it is played, in percent. */
  readonly played: number;
  /** Empty when it is finished. */
  readonly markets: readonly Market[];
}

/** A selection that can be taken now, with what a betslip and a bet show of it. */
export interface Selection {
  readonly id: string;
  readonly odds: number | null;
  readonly event: BookEvent;
}

/** Odds stand still for this long, so that two looks within it agree. */
const TICK_MS = 4_000;
const PRICED_MAX = 500;
/** The whole board once per tick; a page asks for no more than that, and there may be many pages. */
interface Board {
  readonly tick: number;
  readonly events: readonly BookEvent[];
}

/**
 * The book: what is on offer now, and what came of what was. Everything follows from the seed and the time since `openedAt`, but for the
 * results that somebody gave by hand.
 */
export class Book {
  readonly #seed: number;
  readonly #now: () => number;
  readonly #openedAt: number;
  readonly #given = new Map<string, Score>();
  /** Prices of the events on the board, by what they follow from. */
  readonly #priced = new Map<string, { readonly from: string; readonly markets: readonly Market[] }>();
  #board: Board | undefined;

  constructor(seed: number, now: () => number) {
    this.#seed = seed;
    this.#now = now;
    this.#openedAt = now();
  }

  /** Everything that can be bet on, by league, then by start. */
  board(): readonly BookEvent[] {
    const tick = this.#tick();
    if (this.#board?.tick !== tick) {
      const events = LEAGUES.flatMap((league) => upcoming(this.#seed, league, tick * TICK_MS)).map((fixture) => this.#event(fixture));
      this.#board = { tick, events };
    }
    return this.#board.events.filter(({ id }) => !this.#given.has(id));
  }

  /** One event, finished ones too; undefined when there is none of that id. */
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

  /** What came of a selection; undefined while the match is not over. */
  outcome(id: string): { readonly outcome: Outcome; readonly score: Score } | undefined {
    const named = readSelection(id);
    const event = named && this.event(named.event);
    if (named === undefined || event?.phase !== "finished") return undefined;
    return { outcome: outcomeOf(named.market, named.pick, event.score), score: event.score };
  }

  /** Ends a match now with this score. False: there is no such match, or it is over. */
  finish(id: string, score: Score): boolean {
    const phase = this.event(id)?.phase;
    if (phase === undefined || phase === "finished") return false;
    this.#given.set(id, score);
    return true;
  }

  #tick(): number {
    return Math.floor((this.#now() - this.#openedAt) / TICK_MS);
  }

  #event(fixture: Fixture): BookEvent {
    const { id, league, home, away, startsAt, endsAt, edge } = fixture;
    // Phase, score and prices are all those of the tick.
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
      played: Math.round(playedAt(fixture, now) * 100),
      markets: phase === "finished" ? [] : this.#markets(id, state, opening),
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
