import { protectedText } from "../../../../web-files/csv.ts";
import { majorText } from "../../parts/amount.ts";
import type { Transaction } from "../../service/types.ts";

/** The columns of a file with transactions. Their names are those of the API. */
export const COLUMNS =
  "merchant,created_at,tx_id,slip_id,action,amount,currency,status,error,player_id,provider,game,round_id,attempts".split(
    ",",
  );

/** @param merchant - of a listing of one merchant, whose transactions do not name it. */
export const rowOf = (one: Transaction, merchant = ""): string[] => [
  one.merchant ?? merchant,
  one.createdAt,
  protectedText(one.txId),
  "",
  one.action,
  majorText(one.amountMinor, one.currency),
  one.currency,
  one.status,
  protectedText(one.error ?? ""),
  protectedText(one.playerId),
  one.provider,
  protectedText(one.game),
  protectedText(one.roundId),
  String(one.attempts ?? 0),
];
