/** Identifiers, branded so that one can't stand in for another, and the bounds each must keep (docs/specification/basics.md#basic-identifiers). */
import type { FieldFault } from "../errors.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** What goes over the wire to the merchant: `<PROVIDER>:<the provider's own id>`, at most 128 bytes. */
export type TxId = Branded<"TxId">;
/** 2 to 32 of `A-Z 0-9 _`; no colon, so a wire id's prefix is never ambiguous. */
export type ProviderCode = Branded<"ProviderCode">;
/** The merchant's own id of a player, 1 to 128 code points, compared byte by byte. */
export type PlayerId = Branded<"PlayerId">;

/** The row number of a merchant in the database; its code is what outsiders see. */
type MerchantId = number;

/** A wallet transaction's key: tx_id is unique per merchant. */
export interface TxKey {
  readonly merchantId: MerchantId;
  readonly txId: TxId;
}

/** The key as one string, for maps. */
export const keyText = (key: TxKey): string => `${key.merchantId}/${key.txId}`;

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /\p{Surrogate}/u;
const bytes = (text: string): number => Buffer.byteLength(text, "utf8");

const clean = (text: string): boolean => !CONTROL.test(text) && !LONE_SURROGATE.test(text);

/** Whether `text` is well-formed, free of control characters and 1 to `max` bytes of UTF-8. */
const isId = (text: string, max: number): boolean => text.length > 0 && text.length <= max && clean(text) && bytes(text) <= max;

export const isProviderCode = (text: string): text is ProviderCode => /^[A-Z0-9_]{2,32}$/.test(text);
/** Merchant and brand codes. */
export const isPartyCode = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);
/** A game's code: 1 to 128 bytes without control characters. */
export const isGameCode = (text: string): boolean => isId(text, 128);
/** A provider's own transaction id: 1 to 95 bytes, so that the wire id has at most 128. */
export const isOwnTxId = (text: string): boolean => isId(text, 95);
/** The ids of a slip and of its bets: 1 to 88 bytes, so that the refund's own id has at most 95. */
export const isSlipId = (text: string): boolean => isId(text, 88);
export const isRoundId = (text: string): boolean => isId(text, 128);
/** 1 to 128 code points, no control characters; never trimmed or folded. */
export const isPlayerId = (text: string): text is PlayerId => text.length > 0 && text.length <= 256 && clean(text) && [...text].length <= 128;

/** A text for people: 1 to `max` code points, no control characters, not only spaces. */
export const isName = (text: string, max: number): boolean => text.trim() !== "" && text.length <= 2 * max && clean(text) && [...text].length <= max;
/** A reason as the audit log keeps it: up to 1024 code points, empty too; line breaks are fine. */
export const isReason = (text: string): boolean => text.length <= 2_048 && clean(text.replace(/[\r\n\t]/g, " ")) && [...text].length <= 1_024;

/** The wire id of a provider's own transaction id. The caller has checked both. */
export const wireTxId = (provider: ProviderCode, own: string): TxId => `${provider}:${own}` as TxId;

/** The provider's own id out of a wire id: what follows the first colon. */
export const ownTxId = (txId: TxId): string => txId.slice(txId.indexOf(":") + 1);

/** A field fault for an id that breaks its bound. */
export const idFault = (field: string, max: number): FieldFault => ({
  field,
  rule: `1..${max} bytes`,
  message: `${field} deve ter de 1 a ${max} bytes de UTF-8, sem caracteres de controle.`,
});
