import { api } from "../../design/dom.ts";
import type { CallRecord } from "../game-session.ts";

/** The part that every answer of the game's server has. */
export interface PlayerState {
  readonly balance_minor: number | null;
  readonly calls: readonly CallRecord[];
}

/** Calls the game's server. Sends the token from this page's URL fragment as a header, which no other site can do. */
export class GameApi {
  readonly #token = location.hash.slice(1);
  readonly #onAnswer: (answer: PlayerState) => void;

  /** @param onAnswer - is called with the balance and the calls of every answer. */
  constructor(onAnswer: (answer: PlayerState) => void) {
    this.#onAnswer = onAnswer;
  }

  async call<T extends object>(path: string, body?: unknown): Promise<T & PlayerState> {
    const answer = await api<T & PlayerState>(path, body, { "x-play-token": this.#token });
    this.#onAnswer(answer);
    return answer;
  }
}

export interface Session extends PlayerState {
  readonly game: string;
  readonly name: string;
  readonly type: string;
  readonly currency: string;
  /** As OpenGame gave it, for example `pt` or `pt-BR`. */
  readonly language: string;
  readonly demo: boolean;
  /** Minor units. */
  readonly bets: readonly number[];
  readonly skin: {
    readonly night: string;
    readonly glow: string;
    readonly accent: string;
    readonly spark: string;
    readonly cloth?: string;
  };
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

/** The sentence for a player about a refusal. */
export const sentence = (error: string): string => SENTENCES[error] ?? `The bet was refused (${error}).`;
