import type { Row } from "../row.ts";
import { BETSLIPS } from "./betslips.ts";
import { TWO_CONTENTS } from "./contents.ts";
import { COPIES, TWO_PROVIDERS } from "./copies.ts";
import { CROSSINGS } from "./crossings.ts";
import { IMPATIENCE } from "./impatience.ts";
import { LATE_BET, REFUND_FIRST, WIN_FIRST } from "./order.ts";
import { SECOND_REVERSALS } from "./second-reversals.ts";

/** The rows in the order of the catalogue. */
export const ROWS: readonly Row[] = [
  COPIES,
  TWO_CONTENTS,
  TWO_PROVIDERS,
  WIN_FIRST,
  REFUND_FIRST,
  LATE_BET,
  SECOND_REVERSALS,
  BETSLIPS,
  IMPATIENCE,
  CROSSINGS,
];
