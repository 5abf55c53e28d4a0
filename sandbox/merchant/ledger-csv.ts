import { csvLine } from "../../web-files/csv.ts";
import { type Currency, type Effect, toDecimal } from "./ledger.ts";

const HEADER = "tx_id,action,amount,currency,status,player_id,round_id,ref_tx_id".split(",");

/**
 * The transactions that a merchant's wallet applied, oldest first, as CSV (RFC 4180). The merchant reconciles this
 * ledger with the service.
 */
export function ledgerCsv(effects: readonly Effect[], merchant: string, currency: Currency): string {
  const lines = effects
    .filter((effect) => effect.merchant === merchant)
    .map(({ txId, action, deltaMinor, player, roundId, refTxId }) => {
      const amount = toDecimal(deltaMinor < 0n ? -deltaMinor : deltaMinor, currency);
      return csvLine([txId, action, { rawJSON: amount }, currency, "success", player, roundId, refTxId ?? null]);
    });
  return csvLine(HEADER) + lines.join("");
}
