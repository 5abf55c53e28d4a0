import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { ACTION, STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { logLine } from "../../src/adapters/sql/transactions/attempt-log.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";

/** The player and the game of the seeded wins. */
export interface CreditsOf {
  readonly merchantId: number;
  readonly playerId: string;
  readonly currency: string;
  readonly provider: string;
  readonly game: string;
}

/** The number of rows in one statement. */
const TOGETHER = 10_000;
/** The age of the only attempt of each win. */
const AGE_MS = 3_600_000;
const NOW = "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";
const REQUEST_ID = "00000000-0000-4000-8000-000000000000";

/**
 * Inserts pending wins of one merchant in their state after an outage: each win was sent once, an hour ago, without an
 * answer, and is due. MariaDB itself generates the rows (with its sequence engine). The sequencer numbers these rows
 * like any other change.
 */
export async function seedCredits(databaseUrl: string, count: number, of: CreditsOf): Promise<void> {
  const database = openDatabase(databaseUrl, { max: 1, decisiveMax: 1 });
  try {
    const { knex } = database;
    const provider = await knex("providers").where({ code: of.provider }).first("id");
    const game = await knex("games").where({ provider_id: provider.id, code: of.game }).first("id");
    // A log line without its time: the text before the time and the text after it.
    const [head = "", tail = ""] = (
      logLine({
        n: 1,
        at: wholeMs(0),
        durationMs: wholeMs(8_000),
        httpStatus: null,
        result: "timeout",
        requestId: REQUEST_ID,
      }) ?? ""
    ).split('"at":0');
    for (let from = 1; from <= count; from += TOGETHER) {
      const to = Math.min(count, from + TOGETHER - 1);
      await knex.raw(
        `INSERT INTO tx (merchant_id, tx_id, action, status, player_id, round_id, amount_minor, currency, provider_id, game_id,
           attempts, last_result, lease_token, silent_at, next_at, created_at, opened_at, updated_at, attempt_log)
         SELECT ?, CONCAT(?, ':owed-', LPAD(seq, 8, '0')), ?, ?, ?, CONCAT('r-', seq), 100 + seq % 900, ?, ?, ?,
           1, 'timeout', UNHEX(MD5(seq)), ${NOW} - ? + 8000, ${NOW} - ? + 9100, ${NOW} - ?, ${NOW} - ?, ${NOW} - ? + 8000, CONCAT(?, '"at":', ${NOW} - ?, ?)
         FROM seq_${from}_to_${to}`,
        [
          of.merchantId,
          of.provider,
          ACTION.win,
          STATUS.pending,
          of.playerId,
          of.currency,
          provider.id,
          game.id,
          AGE_MS,
          AGE_MS,
          AGE_MS,
          AGE_MS,
          AGE_MS,
          head,
          AGE_MS,
          tail,
        ],
      );
    }
  } finally {
    await database.close();
  }
}
