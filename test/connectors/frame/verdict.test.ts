import test from "ava";
import { STATUSES as EVOLUTION } from "../../../connectors/evolution/statuses.ts";
import { outcomeOf } from "../../../connectors/frame/verdict.ts";
import { CALETA, HUB88 } from "../../../connectors/hub88/statuses.ts";
import { ERRORS as PRAGMATIC } from "../../../connectors/pragmatic/errors.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";

const rejected = async (error: string) =>
  (await outcomeOf(async () => ({ status: TransactionStatus.FAILED, error, balanceMinor: 5n }))).verdict;

test("each agreed code of wallets has its answer in each API, and every other code is a plain rejection", async (t) => {
  for (const [code, hub88, caleta, evolution, pragmatic] of [
    ["INSUFFICIENT_FUNDS", "RS_ERROR_NOT_ENOUGH_MONEY", "RS_ERROR_NOT_ENOUGH_MONEY", "INSUFFICIENT_FUNDS", 1],
    ["PLAYER_BLOCKED", "RS_ERROR_USER_DISABLED", "RS_ERROR_USER_DISABLED", "ACCOUNT_LOCKED", 6],
    ["PLAYER_NOT_FOUND", "RS_ERROR_INVALID_TOKEN", "RS_ERROR_INVALID_TOKEN", "INVALID_SID", 2],
    ["LIMIT_REACHED", "RS_ERROR_LIMIT_REACHED", "RS_ERROR_BET_LIMIT_EXCEEDED", "FINAL_ERROR_ACTION_FAILED", 50],
    ["SESSION_LIMIT", "RS_ERROR_LIMIT_REACHED", "RS_ERROR_BET_LIMIT_EXCEEDED", "FATAL_ERROR_CLOSE_USER_SESSION", 210],
    ["SELF_EXCLUDED", "RS_ERROR_USER_DISABLED", "RS_ERROR_USER_DISABLED", "ACCOUNT_LOCKED", 6],
    ["GEO_BLOCKED", "RS_ERROR_USER_DISABLED", "RS_ERROR_USER_DISABLED", "GEOLOCATION_FAIL", 3],
    ["OWN_WORD", "RS_ERROR_UNKNOWN", "RS_ERROR_UNKNOWN", "FINAL_ERROR_ACTION_FAILED", 3],
    ["constructor", "RS_ERROR_UNKNOWN", "RS_ERROR_UNKNOWN", "FINAL_ERROR_ACTION_FAILED", 3],
  ] as const) {
    const verdict = await rejected(code);
    t.deepEqual(
      [HUB88.bet[verdict], CALETA.bet[verdict], EVOLUTION.debit[verdict], PRAGMATIC.bet[verdict]],
      [hub88, caleta, evolution, pragmatic],
      code,
    );
    // A rejected win is owed, so each API must send it again.
    t.deepEqual(
      [HUB88.win[verdict], CALETA.win[verdict], EVOLUTION.credit[verdict], PRAGMATIC.result[verdict]],
      ["RS_ERROR_UNKNOWN", "RS_ERROR_UNKNOWN", "TEMPORARY_ERROR", 100],
      code,
    );
  }
});
