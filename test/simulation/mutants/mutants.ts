import { ANSWER_MUTANTS } from "./answer-mutants.ts";
import { CLAIM_MUTANTS } from "./claim-mutants.ts";
import { FEED_MUTANTS } from "./feed-mutants.ts";
import { LABEL_MUTANTS } from "./label-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { PLAY_MUTANTS } from "./play-mutants.ts";
import { RESEND_MUTANTS } from "./resend-mutants.ts";
import { REVERSAL_MUTANTS } from "./reversal-mutants.ts";
import { REVERSE_MUTANTS } from "./reverse-mutants.ts";
import { ROUND_MUTANTS } from "./round-mutants.ts";
import { SETTLEMENT_MUTANTS } from "./settlement-mutants.ts";
import { SUPPORT_MUTANTS } from "./support-mutants.ts";

/** All planted bugs except the bugs in slips (slip-mutants.ts). */
export const MUTANTS: readonly Mutant[] = [
  ...CLAIM_MUTANTS,
  ...REVERSAL_MUTANTS,
  ...SETTLEMENT_MUTANTS,
  ...PLAY_MUTANTS,
  ...REVERSE_MUTANTS,
  ...LABEL_MUTANTS,
  ...ROUND_MUTANTS,
  ...ANSWER_MUTANTS,
  ...RESEND_MUTANTS,
  ...FEED_MUTANTS,
  ...SUPPORT_MUTANTS,
];
