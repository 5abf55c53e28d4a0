import { isReversal, type TransactionRequest } from "../../../src/domain/transaction/transaction.ts";
import type { GivenLabels, Labels } from "../../../src/domain/values/labels.ts";

const NONE: Labels = { kind: null, promoId: null, jackpotId: null, jackpotTier: null, jackpotMicros: null };
const CHOICES = {
  bet: [
    undefined,
    { ...NONE, kind: "tip" },
    { ...NONE, promoId: "p1" },
    { ...NONE, kind: "feature_buy", jackpotMicros: 5n },
  ],
  win: [
    undefined,
    { ...NONE, kind: "jackpot", jackpotId: "mega", jackpotTier: "grand" },
    { ...NONE, promoId: "with an unknown kind" },
    { ...NONE, kind: "promo", promoId: "p2" },
  ],
} as const satisfies Record<string, readonly (Labels | undefined)[]>;

/**
 * The content with labels. Every id has labels of its own, and every fifth request has others. This draws no random
 * number, so a seed plays the same run as without labels.
 *
 * @param sent - how many requests the provider has sent.
 */
export function labelled(content: TransactionRequest, sent: number): TransactionRequest {
  if (isReversal(content.action)) return content;
  const own = [...content.txId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) + (sent % 5 === 4 ? 1 : 0);
  const labels = CHOICES[content.action][own % 4];
  return labels === undefined ? content : { ...content, labels };
}

/** The labels as a request gives them. A win may have a kind that the service does not know. */
export const givenLabels = ({ labels }: TransactionRequest): GivenLabels =>
  labels === undefined
    ? {}
    : {
        kind: labels.kind ?? (labels.promoId === "with an unknown kind" ? "cashback" : ""),
        promoId: labels.promoId ?? "",
        ...(labels.jackpotId !== null && { jackpot: { id: labels.jackpotId, tier: labels.jackpotTier ?? "" } }),
        jackpotContributionMicros: labels.jackpotMicros ?? 0n,
      };
