/** What a request of Pragmatic says: its ids, its amounts and its labels. Each function throws FieldFault. */
import { isGameCode, isOwnTxId, isRoundId } from "../../src/domain/values/identifiers.ts";
import type { Currency } from "../../src/domain/values/money.ts";
import { type Amount, microsOf, readAmount } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, type Fields } from "../frame/json.ts";

const checked = (fields: Fields, name: string, follows: (text: string) => boolean): string => {
  const given = fields.text(name);
  if (!follows(given)) throw new FieldFault("type", name);
  return given;
};

export const referenceOf = (fields: Fields): string => checked(fields, "reference", isOwnTxId);
export const roundOf = (fields: Fields): string => checked(fields, "roundId", isRoundId);
export const gameOf = (fields: Fields): string => checked(fields, "gameId", isGameCode);

/** A decimal of the major unit without a sign and an exponent. */
function amountOf(text: string, currency: Currency, name: string): Amount {
  const amount = /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? readAmount(text, currency) : undefined;
  if (amount === undefined) throw new FieldFault("type", name);
  return amount;
}

/** The money of a call about a round. */
export const moneyOf = (fields: Fields, currency: Currency) => ({
  txId: referenceOf(fields),
  roundId: roundOf(fields),
  game: gameOf(fields),
  currency,
  amount: amountOf(fields.text("amount"), currency, "amount"),
});

/** The money of promoWin, which has a currency of its own and may have no round. */
export function promoWinOf(fields: Fields, own: Currency, game: string) {
  const txId = referenceOf(fields);
  const promoId = checked(fields, "campaignId", isRoundId);
  return {
    txId,
    roundId: fields.has("roundId") && fields.optionalText("roundId") !== undefined ? roundOf(fields) : "",
    game: fields.optionalText("gameId") === undefined ? game : gameOf(fields),
    currency: fields.text("currency", 8),
    amount: amountOf(fields.text("amount"), own, "amount"),
    labels: { kind: kindOf(fields.text("campaignType")), promoId },
  };
}

/** The prize that comes with a result; undefined: there is none. */
export function promoOfResult(fields: Fields, { txId, roundId, game, currency }: ReturnType<typeof moneyOf>) {
  const text = fields.optionalText("promoWinAmount");
  if (text === undefined) return undefined;
  const amount = amountOf(text, currency, "promoWinAmount");
  if (amount.minor === 0n && amount.rest === "0") return undefined;
  const hasOwnId = (fields.optionalText("promoWinReference") ?? txId) !== txId;
  const promoId = fields.optionalText("promoCampaignID");
  return {
    txId: hasOwnId ? checked(fields, "promoWinReference", isOwnTxId) : derivedId("promo:", txId),
    roundId,
    game,
    currency,
    amount,
    labels: { kind: kindOf(fields.optionalText("promoCampaignType") ?? ""), ...(promoId !== undefined && { promoId }) },
  };
}

/** The amount of adjustment: `isDebit` if it is below 0. */
export function adjustmentOf(fields: Fields, currency: Currency) {
  const text = fields.text("amount");
  const isDebit = text.startsWith("-");
  const amount = amountOf(isDebit ? text.slice(1) : text, currency, "amount");
  const labels = { kind: "adjustment" };
  const names = { txId: referenceOf(fields), roundId: roundOf(fields), game: gameOf(fields) };
  return { isDebit, money: { ...names, currency, amount, labels } };
}

/** T is a tournament. Pragmatic's other types are not public. */
const kindOf = (campaignType: string): string => (/^T/i.test(campaignType) ? "tournament" : "promo");

/** The labels of a bet. The service refuses a bet with a wrong label, so a wrong one is left out. */
export function betLabels(fields: Fields): Labels {
  const jackpotId = labelOf(fields, "jackpotId");
  const part = fields.optionalText("jackpotContribution") ?? "";
  const micros = microsOf(part);
  return {
    ...bonusLabels(fields),
    ...(jackpotId !== undefined && { jackpot: { id: jackpotId } }),
    ...(micros > 0n && { jackpotContributionMicros: micros }),
  };
}

/** The labels of a result: with a bonusCode it belongs to free rounds. */
export const resultLabels = (fields: Fields): Labels => ({
  ...bonusLabels(fields),
  ...(isFree(fields) && { kind: "free_rounds" }),
});

export const isFree = (fields: Fields): boolean => fields.optionalText("bonusCode") !== undefined;

function bonusLabels(fields: Fields): Labels {
  const promoId = labelOf(fields, "bonusCode");
  return promoId === undefined ? {} : { promoId };
}

function labelOf(fields: Fields, name: string): string | undefined {
  const given = fields.optionalText(name);
  return given !== undefined && isRoundId(given) ? given : undefined;
}
