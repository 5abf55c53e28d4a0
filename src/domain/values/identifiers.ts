/**
 * Identifiers and their bounds (docs/specification/basics.md#basic-identifiers). Their types are branded, so that the
 * compiler refuses an identifier of the wrong type.
 */
import type { FieldFault } from "../errors.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/**
 * A transaction's id as the merchant sees it (the wire id): `<PROVIDER>:<the provider's own id>`, at most 128 bytes.
 */
export type TxId = Branded<"TxId">;
/** 2 to 32 characters of `A-Z 0-9 _`. It has no colon, so the prefix of a wire id is never ambiguous. */
export type ProviderCode = Branded<"ProviderCode">;
/** The merchant's own id for a player, 1 to 128 code points, compared byte by byte. */
export type PlayerId = Branded<"PlayerId">;

/** The row number of a merchant in the database. Callers see the merchant's code instead. */
type MerchantId = number;

/** The key of a wallet transaction: a tx_id is unique per merchant. */
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
export const isId = (text: string, max: number): boolean =>
  text.length > 0 && text.length <= max && clean(text) && bytes(text) <= max;

/** The form of a provider's code. */
export const PROVIDER_CODE = /^[A-Z0-9_]{2,32}$/;
export const isProviderCode = (text: string): text is ProviderCode => PROVIDER_CODE.test(text);
/** Whether the text has the form of a merchant's or brand's code. */
export const isPartyCode = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);
/** A game's code: 1 to 128 bytes without control characters. */
export const isGameCode = (text: string): boolean => isId(text, 128);
/** A provider's own transaction id: 1 to 95 bytes, so that the wire id has at most 128. */
export const isOwnTxId = (text: string): boolean => isId(text, 95);
/** The ids of a slip and of its bets: 1 to 88 bytes, so that the refund's own id has at most 95. */
export const isSlipId = (text: string): boolean => isId(text, 88);
export const isRoundId = (text: string): boolean => isId(text, 128);
/**
 * Whether the text is `.` or `..`. URL parsers take such a segment out of a path, percent-encoded too, so nobody could
 * read a record with this id by its path. New records must not have it.
 */
export const isDotSegment = (text: string): boolean => text === "." || text === "..";
/**
 * Whether the text is a player id: 1 to 128 code points without control characters. A player id is never trimmed, and
 * its letters are never changed to upper or lower case.
 */
export const isPlayerId = (text: string): text is PlayerId =>
  text.length > 0 && text.length <= 256 && clean(text) && [...text].length <= 128;

/** A text for people: 1 to `max` code points without control characters, and not only spaces. */
export const isName = (text: string, max: number): boolean =>
  text.trim() !== "" && text.length <= 2 * max && clean(text) && [...text].length <= max;
/** A reason in the audit log: at most 1024 code points. It may be empty and may have line breaks. */
export const isReason = (text: string): boolean =>
  text.length <= 2_048 && clean(text.replace(/[\r\n\t]/g, " ")) && [...text].length <= 1_024;

/** Builds the wire id from a provider's own transaction id. The caller must have checked both arguments. */
export const wireTxId = (provider: ProviderCode, own: string): TxId => `${provider}:${own}` as TxId;

/** The provider's own id in a wire id: the text after the first colon. */
export const ownTxId = (txId: TxId): string => txId.slice(txId.indexOf(":") + 1);

/** A field fault for an id that no path can have. */
export const dotFault = (field: string): FieldFault => ({ field, rule: "neither . nor .." });

/** A field fault for an id that breaks its bound. */
export const idFault = (field: string, max: number): FieldFault => ({
  field,
  rule: `1..${max} bytes`,
});
