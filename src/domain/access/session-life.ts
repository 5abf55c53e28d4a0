/** How long a session takes bets (docs/specification/provider-api.md#prov-session-life). For balances, credits and rollbacks it is good for ever. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface SessionLife {
  /** It takes bets this long after its last use. */
  readonly idleMs: number;
  /** It takes bets this long in all. */
  readonly wholeMs: number;
  /** A use is written down at most this often: replicas may see a session end earlier by so much. */
  readonly noteUseEveryMs: number;
}

/** The sportsbook's: a session of a signed-in player in a browser. */
export const SPORTSBOOK_LIFE: SessionLife = { idleMs: 30 * MINUTE_MS, wholeMs: 12 * HOUR_MS, noteUseEveryMs: 5_000 };

/** Every other provider's: a game that stays open. */
export const gameLife = (idleMs: number): SessionLife => ({
  idleMs,
  wholeMs: Number.POSITIVE_INFINITY,
  noteUseEveryMs: Math.min(10 * MINUTE_MS, idleMs / 24),
});

/** What a session's life is judged by: milliseconds, as they were when it was read. */
export interface SessionAge {
  readonly idleMs: number;
  readonly ageMs: number;
  readonly ended: boolean;
}

/** For how many milliseconds more it takes bets, if nobody uses it; zero or less: it is over. */
export const leftMs = ({ idleMs, ageMs, ended }: SessionAge, life: SessionLife): number => (ended ? 0 : Math.min(life.idleMs - idleMs, life.wholeMs - ageMs));
