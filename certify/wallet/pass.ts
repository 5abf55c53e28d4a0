/** What a pass is asked to do, and what comes of it. */

import type { Status } from "../report/report.ts";
import type { Account } from "./calls/callback.ts";
import type { Case, Category } from "./case.ts";
import type { Script } from "./random/script.ts";
import type { Finding, Recorded } from "./trial.ts";

export interface Plan {
  /** The walletUrl. */
  readonly url: URL;
  readonly merchant: Account;
  /** The ids of at least one test player. Only the pass may use these players while it runs. */
  readonly players: readonly string[];
  readonly blocked?: string;
  readonly other?: { readonly merchant: Account; readonly player: string };
  /** Categories, or cases as `category/case`; none: all. */
  readonly only?: readonly string[];
  /** Calls in flight at most. The service has up to 64 per merchant and replica. */
  readonly atOnce: number;
  readonly seed: number;
  readonly histories: number;
  /** Play this history, and nothing else. */
  readonly replay?: Script;
}

export interface Outcome {
  readonly category: Category;
  readonly case: Case;
  readonly status: Status;
  /** Of `failed` and `warning`. */
  readonly finding?: Finding;
  /** Of `not_tried`: why. */
  readonly why?: string;
  /** Of `not_tried`: a player or merchant was not given. */
  readonly lacks?: true;
  /** Of `not_tried`: the wallet did not do what the case's preparation asked for. */
  readonly unprepared?: true;
  readonly exchanges: readonly Recorded[];
  readonly ms: number;
}

export interface Pass {
  readonly version: string;
  /** When it began. */
  readonly at: Date;
  readonly ms: number;
  readonly plan: Plan;
  /** Begins the ids of this pass. */
  readonly run: string;
  /** In the order of the categories and their cases. */
  readonly outcomes: readonly Outcome[];
  /** How many callbacks were sent. */
  readonly calls: number;
}
