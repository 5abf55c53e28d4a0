import { type Currency, type Effect, toDecimal } from "./ledger.ts";

const HEADER = "tx_id,action,amount,currency,status,player_id,round_id,ref_tx_id";

/**
 * The transactions that a merchant's wallet applied, oldest first, as CSV (RFC 4180). The merchant reconciles this
 * ledger with the service.
 */
export function ledgerCsv(effects: readonly Effect[], merchant: string, currency: Currency): string {
  const lines = effects
    .filter((effect) => effect.merchant === merchant)
    .map(({ txId, action, deltaMinor, player, roundId, refTxId }) => {
      const amount = toDecimal(deltaMinor < 0n ? -deltaMinor : deltaMinor, currency);
      return [txId, action, amount, currency, "success", player, roundId, refTxId ?? ""].map(cell).join();
    });
  return [HEADER, ...lines].map((line) => `${line}\r\n`).join("");
}

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
