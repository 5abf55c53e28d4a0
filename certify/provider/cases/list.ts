import type { Category } from "../case.ts";
import { BETS } from "./bets.ts";
import { CONNECTION } from "./connection.ts";
import { REFUNDS, WINS } from "./credits.ts";
import { ENDS, LABELS, PLAYS, REVERSALS, SETTLEMENTS } from "./further.ts";
import { LAUNCH } from "./launch.ts";
import { REFUSALS } from "./refusals.ts";
import { WHOLE } from "./whole.ts";

export const CATEGORIES: readonly Category[] = [
  LAUNCH,
  BETS,
  REFUSALS,
  REFUNDS,
  WINS,
  SETTLEMENTS,
  REVERSALS,
  PLAYS,
  ENDS,
  LABELS,
  CONNECTION,
  WHOLE,
];
