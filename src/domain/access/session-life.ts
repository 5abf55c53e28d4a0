/**
 * The time for which a session takes bets (docs/specification/provider-api.md#prov-session-life). For balances, credits
 * and rollbacks a session never ends.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface SessionLife {
  /** A session takes bets for this long after its last use. */
  readonly idleMs: number;
  /** A session takes bets for this long after its creation. */
  readonly wholeMs: number;
  /**
   * The shortest time between two writes of a session's last use. So another replica may end the session too early, by
   * at most this time.
   */
  readonly noteUseEveryMs: number;
}

/** How long the sportsbook's sessions take bets. Such a session is a signed-in player in a browser. */
export const SPORTSBOOK_LIFE: SessionLife = { idleMs: 30 * MINUTE_MS, wholeMs: 12 * HOUR_MS, noteUseEveryMs: 5_000 };

/** How long the sessions of every other provider take bets. Such a session is a game that stays open. */
export const gameLife = (idleMs: number): SessionLife => ({
  idleMs,
  wholeMs: Number.POSITIVE_INFINITY,
  noteUseEveryMs: Math.min(10 * MINUTE_MS, idleMs / 24),
});

/** The age of a session at one moment. */
export interface SessionAge {
  /** The time since the session's last use. */
  readonly idleMs: number;
  /** The time since the session's creation. */
  readonly ageMs: number;
  readonly ended: boolean;
}

/** The milliseconds for which the session still takes bets if it is not used again. Zero or less: it has ended. */
export const leftMs = ({ idleMs, ageMs, ended }: SessionAge, life: SessionLife): number =>
  ended ? 0 : Math.min(life.idleMs - idleMs, life.wholeMs - ageMs);
