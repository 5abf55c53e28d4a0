import { api } from "../../design/dom.ts";
import type { CallRecord } from "../seat.ts";

/** What every answer of the game's server carries. */
export interface Seated {
  readonly balance_minor: number | null;
  readonly calls: readonly CallRecord[];
}

/** The player's seat: the token that OpenGame put into this page's fragment, sent as a header, which no other site can do. */
export class SeatApi {
  readonly #token = location.hash.slice(1);
  readonly #heard: (answer: Seated) => void;

  /** `heard` gets every answer's balance and calls. */
  constructor(heard: (answer: Seated) => void) {
    this.#heard = heard;
  }

  async call<T extends object>(path: string, body?: unknown): Promise<T & Seated> {
    const answer = await api<T & Seated>(path, body, { "x-play-token": this.#token });
    this.#heard(answer);
    return answer;
  }
}

export interface Session extends Seated {
  readonly game: string;
  readonly name: string;
  readonly type: string;
  readonly currency: string;
  readonly demo: boolean;
  /** Minor units. */
  readonly bets: readonly number[];
  readonly skin: { readonly night: string; readonly glow: string; readonly accent: string; readonly spark: string; readonly cloth?: string };
  readonly symbols: readonly string[];
  readonly balance_error: string;
}

const SENTENCES: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: "Not enough money for this bet.",
  PLAYER_BLOCKED: "Your casino does not take your bets right now.",
  REJECTED: "Your casino refused the bet.",
  TOO_LATE: "Your casino answered after betting closed. The chip goes back.",
  BETTING_CLOSED: "No more bets, please.",
  NO_CHIPS: "There is no chip to take back.",
  OVERLOADED: "Very busy right now. Try again in a moment.",
  SESSION_EXPIRED: "This session is over. Open the game again.",
};

/** What to tell a player about a refusal. */
export const sentence = (error: string): string => SENTENCES[error] ?? `The bet was refused (${error}).`;
