import test from "ava";
import { STATUSES as EVOLUTION } from "../../../connectors/evolution/statuses.ts";
import { outcomeOf, verdictOf } from "../../../connectors/frame/verdict.ts";
import { CALETA, HUB88 } from "../../../connectors/hub88/statuses.ts";
import { CODES as PGSOFT } from "../../../connectors/pgsoft/codes.ts";
import { ERRORS as PRAGMATIC } from "../../../connectors/pragmatic/errors.ts";
import { CODES as REDTIGER } from "../../../connectors/redtiger/codes.ts";
import { CODES as SOFTSWISS } from "../../../connectors/softswiss/codes.ts";
import { CODES as SPRIBE } from "../../../connectors/spribe/codes.ts";
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

test("the APIs with numbers have a code for each agreed code of wallets, and ask for a rejected win again", async (t) => {
  for (const [code, redtiger, pgsoft, softswiss, spribe] of [
    ["INSUFFICIENT_FUNDS", 304, 3202, 100, 402],
    ["PLAYER_BLOCKED", 303, 3033, 110, 402],
    ["PLAYER_NOT_FOUND", 302, 3004, 101, 401],
    ["LIMIT_REACHED", 306, 3033, 105, 402],
    ["SESSION_LIMIT", 306, 3033, 105, 402],
    ["SELF_EXCLUDED", 303, 3033, 110, 402],
    ["GEO_BLOCKED", 306, 3033, 153, 402],
    ["OWN_WORD", 201, 3033, 400, 402],
  ] as const) {
    const verdict = await rejected(code);
    const bets = [REDTIGER.stake, PGSOFT.spin, SOFTSWISS.bet, SPRIBE.withdraw].map((table) => table[verdict]);
    t.deepEqual(bets, [redtiger, pgsoft, softswiss, spribe], code);
    const wins = [REDTIGER.payout, PGSOFT.win, SOFTSWISS.win, SPRIBE.deposit].map((table) => table[verdict]);
    t.deepEqual(wins, [500, 1200, 500, 500], code);
  }
});

test("the win of a Play has an outcome of its own", (t) => {
  const { UNSPECIFIED, SUCCESS, PENDING, FAILED } = TransactionStatus;
  for (const [status, error, verdict] of [
    [UNSPECIFIED, "", "ok"],
    [SUCCESS, "", "ok"],
    [PENDING, "", "pending"],
    [FAILED, "TRANSACTION_REVERSED", "reversed"],
    [FAILED, "TRANSACTION_MISMATCH", "mismatch"],
    [FAILED, "BET_SETTLED", "settled"],
    [FAILED, "PLAYER_BLOCKED", "blocked"],
    [FAILED, "OWN_WORD", "rejected"],
  ] as const)
    t.is(verdictOf(status, error), verdict, error);
});
