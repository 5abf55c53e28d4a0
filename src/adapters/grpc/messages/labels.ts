import type { Labels } from "../../../domain/values/labels.ts";

/** The labels as the fields of a message. "" stands for a text that the transaction does not have. */
export const labelFields = (labels: Labels | undefined) => ({
  kind: labels?.kind ?? "",
  promoId: labels?.promoId ?? "",
  ...(labels != null &&
    labels.jackpotId !== null && { jackpot: { id: labels.jackpotId, tier: labels.jackpotTier ?? "" } }),
  ...(labels != null && labels.jackpotMicros !== null && { jackpotContributionMicros: labels.jackpotMicros }),
});
