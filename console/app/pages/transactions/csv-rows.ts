import type { CsvCell } from "../../../../web-files/csv.ts";
import { majorText } from "../../parts/amount.ts";
import type { Transaction } from "../../service/types.ts";

/** The columns of a file with transactions. Their names are those of the API. */
export const COLUMNS =
  "merchant,created_at,tx_id,slip_id,action,amount,currency,status,error,player_id,provider,game,round_id,attempts".split(
    ",",
  );

/** @param merchant - of a listing of one merchant, whose transactions do not name it. */
export const rowOf = (one: Transaction, merchant = ""): CsvCell[] => [
  one.merchant ?? merchant,
  one.createdAt,
  one.txId,
  "",
  one.action,
  { rawJSON: majorText(one.amountMinor, one.currency) },
  one.currency,
  one.status,
  one.error ?? null,
  one.playerId,
  one.provider,
  one.game,
  one.roundId,
  one.attempts ?? 0,
];
