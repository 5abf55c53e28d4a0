import type { Labels } from "../../../domain/values/labels.ts";

/** The labels as the fields of a message. "" and 0 stand for a label that the transaction does not have. */
export const labelFields = (labels: Labels | undefined) => ({
  kind: labels?.kind ?? "",
  promoId: labels?.promoId ?? "",
  jackpotId: labels?.jackpotId ?? "",
  jackpotTier: labels?.jackpotTier ?? "",
  jackpotContributionMicros: labels?.jackpotMicros ?? 0n,
});
