/** The plan and the result of a pass. */

import type { Finding } from "../report/ending.ts";
import type { Ending } from "../report/report.ts";
import type { Account } from "./calls/callback.ts";
import type { Exchange } from "./calls/wallet.ts";
import type { Case, Category } from "./case.ts";
import type { Kept, Memory } from "./cases/memory.ts";
import type { Script } from "./random/script.ts";
import type { Recorded } from "./trial.ts";

export interface Plan {
  /** The walletUrl. */
  readonly url: URL;
  readonly merchant: Account;
  /** The ids of at least one test player. Only the pass may use these players while it runs. */
  readonly players: readonly string[];
  readonly blocked?: string;
  readonly other?: { readonly merchant: Account; readonly player: string };
  /** Categories, or cases as `category/case`; empty: all cases. */
  readonly only?: readonly string[];
  /** The maximum number of calls in flight. Each replica of the service has at most 64 per merchant. */
  readonly atOnce: number;
  readonly seed: number;
  readonly histories: number;
  /** How long the wallet must remember the first transactions before they come again, in milliseconds; 0: no wait. */
  readonly pauseMs: number;
  /** The first transactions of an earlier run. */
  readonly resumed?: Kept;
  /** Cases whose rule the wallet may break, as `category/case`. */
  readonly allow?: readonly string[];
  /** The only history to play. */
  readonly replay?: Script;
}

export interface Outcome extends Ending<Finding<Exchange>> {
  readonly category: Category;
  readonly case: Case;
  readonly exchanges: readonly Recorded[];
  readonly ms: number;
}

export interface Pass {
  readonly version: string;
  /** The time at which the pass began. */
  readonly at: Date;
  readonly ms: number;
  readonly plan: Plan;
  /** The prefix of the ids of this pass. */
  readonly run: string;
  /** In the order of the categories and their cases. */
  readonly outcomes: readonly Outcome[];
  readonly memory: Memory;
  /** The number of callbacks that were sent. */
  readonly calls: number;
}
