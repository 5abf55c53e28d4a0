import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { actionOf, kindOf } from "../../src/adapters/sql/schema/codes.ts";
import { GameRefs } from "../../src/adapters/sql/transactions/game-refs.ts";
import { COLUMNS, toTransaction } from "../../src/adapters/sql/transactions/rows.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../src/domain/values/whole-ms.ts";
import type { HourSum } from "../../src/ports/transactions/change-store.ts";
import { isOpenCredit } from "./check-outside.ts";
import type { RunRecord, StoredRow } from "./record.ts";

const PENDING = 0;

/**
 * Every transaction in the database's present state.
 *
 * @param onlyPending - reads only pending ones.
 */
export async function storedRows(
  { knex, dialect, decisive }: Database,
  onlyPending = false,
): Promise<Map<string, StoredRow>> {
  const query = knex("tx").select(...COLUMNS, "feed_seq", knex.raw(`${dialect.sql.nowMs} AS read_at`));
  const found: Record<string, unknown>[] = await (onlyPending ? query.where({ status: PENDING }) : query);
  const games = new GameRefs({ decisive, dialect } as Database);
  await games.load(found.map((row) => Number(row.game_id)));
  const rows = found.map(
    (row): StoredRow => ({
      transaction: toTransaction(row, games),
      feedSeq: row.feed_seq === null ? null : BigInt(row.feed_seq as string),
    }),
  );
  return new Map(rows.map((row) => [keyText(row.transaction), row]));
}

/**
 * The sums from which reports are made: those of each kind, and those of transactions without a kind. Here each provider
 * has one game of each type.
 */
export async function storedSums({ knex }: Database): Promise<RunRecord["sums"]> {
  const [all, kinds, games]: Record<string, unknown>[][] = await Promise.all([
    knex("ggr_hour").select(),
    knex("ggr_kind").select(),
    knex("games").select("id", "provider_id", "type"),
  ]);
  const sums = new Map<number, Map<string, HourSum>>();
  const add = (row: Record<string, unknown>, kind: HourSum["kind"], sign: 1 | -1): void => {
    const game = games?.find(
      (one) => Number(one.provider_id) === Number(row.provider_id) && Number(one.type) === Number(row.type),
    );
    const own = { hour: wholeMs(Number(row.hour)), gameId: Number(game?.id), action: actionOf(row.action), kind };
    // A kind that is null is written as in the memory store.
    const key = `${own.hour}/${own.gameId}/${own.action}/${kind}`;
    const ofMerchant = sums.get(Number(row.merchant_id)) ?? new Map<string, HourSum>();
    const { count, sumMinor } = ofMerchant.get(key) ?? { count: 0, sumMinor: 0n };
    const sum = {
      ...own,
      count: count + sign * Number(row.tx_count),
      sumMinor: sumMinor + BigInt(sign) * BigInt(row.sum_minor as string),
    };
    sums.set(Number(row.merchant_id), ofMerchant.set(key, sum));
  };
  for (const row of all ?? []) add(row, null, 1);
  for (const row of kinds ?? []) {
    add(row, null, -1);
    add(row, kindOf(row.kind), 1);
  }
  for (const ofMerchant of sums.values())
    for (const [key, { kind, count }] of ofMerchant) if (kind === null && count === 0) ofMerchant.delete(key);
  return sums;
}

/** The work that the service still has to finish by itself: pending credits and delivered rollbacks, and changes without a number. */
async function unfinished(
  database: Database,
): Promise<{ readonly credits: readonly string[]; readonly unnumbered: number }> {
  const pending = await storedRows(database, true);
  const credits = [...pending].filter(([, { transaction }]) =>
    isOpenCredit(transaction, (key) => pending.get(key)?.transaction),
  );
  const left = await database.knex("tx").whereNull("feed_seq").count("* as n");
  return { credits: credits.map(([key]) => key), unnumbered: Number(left[0]?.n) };
}

/**
 * Resolves when the service has finished all work that it does by itself, or after `withinMs`. The judge then reports
 * the unfinished work.
 */
export async function settled(database: Database, withinMs: number): Promise<void> {
  for (
    const until = Date.now() + withinMs;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    const { credits, unnumbered } = await unfinished(database);
    if (credits.length === 0 && unnumbered === 0) return;
  }
}
