import { ApiError, api } from "../../design/dom.ts";
import type { CallRecord } from "../game-session.ts";
import type { Misbehaviour } from "../misbehave.ts";
import { words } from "./language.ts";

/** The part that every answer of the game's server has. */
export interface PlayerState {
  readonly balance_minor: number | null;
  readonly calls: readonly CallRecord[];
}

/**
 * Calls the game's server. Sends the token from this page's URL fragment in a header. A page of another site cannot
 * send this header.
 */
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
  /** The buttons of Backstage. */
  readonly mistakes: readonly Misbehaviour[];
  /** The feature that the slot sells; null: none. `price` is in bets. */
  readonly feature: { readonly spins: number; readonly price: number } | null;
  readonly takes_tips: boolean;
  readonly balance_error: string;
}

/** The sentence for a player about a refusal. */
export const sentence = (error: string): string => words.refusals[error as "REJECTED"] ?? words.otherRefusal(error);

/**
 * The text of an error in the page's language. It is chosen by the code, because the server's messages are in English.
 */
export function errorText(error: unknown): string {
  const code = error instanceof ApiError ? error.code : "UNKNOWN";
  return words.errors[code as "BUSY"] ?? words.otherError(code);
}
