/** The answers of the page's server. */
import type { Refusal } from "../../../web-renderer/protocol.ts";
import type { Bet, BetLeg } from "../bet.ts";
import type { BrandLook } from "../brands.ts";
import type { BoardOpening } from "../stream/board-change.ts";

export type { BoardEvent } from "../stream/board-change.ts";

/** The data that the server writes into the page, so that the page shows the board without another request. */
export interface PageOpening {
  /** null: there is no such brand. Absent: the server could not read the brand. */
  readonly brand?: BrandReply | null;
  /** The reason why the page around this page may not show the sportsbook. */
  readonly refusal?: Refusal;
  readonly stream: BoardOpening;
}

export type BrandReply = BrandLook & {
  /** Whether a match can be ended by hand. */
  readonly control: boolean;
};

export interface SessionReply {
  readonly session_id: string;
  /** The player, as an opaque text. It is the same in the player's next session. */
  readonly player_ref: string;
  readonly currency: string;
  readonly language: string;
  readonly theme: string;
  readonly layout: string;
}

export interface BetReply {
  readonly id: string;
  readonly currency: string;
  readonly stake_minor: number;
  readonly placed_at: number;
  readonly legs: readonly BetLeg[];
  readonly state: Bet["state"];
  readonly error: string;
  readonly refund: Bet["refund"];
  readonly result: Bet["result"];
  readonly return_minor: number;
  readonly paying: boolean;
}

export interface AccountReply {
  readonly balance_minor: number | null;
  readonly bets: readonly BetReply[];
}

export interface PlaceReply {
  readonly status: "placed" | "pending" | "failed";
  readonly error: string;
  readonly balance_minor: number | null;
  readonly bets: readonly BetReply[];
}
