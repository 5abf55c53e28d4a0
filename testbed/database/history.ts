/**
 * A random history of a merchant's transactions, written as rows. The rows have every possible status, and many are
 * close to the borders of days.
 */

import { type Kind, kindsOf } from "../../contract/transactions/kinds.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { insertRows } from "../../src/adapters/sql/connection/insert-rows.ts";
import { SqlChangeStore } from "../../src/adapters/sql/reports/change-store.ts";
import { ACTION, KIND, STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { numberingOf } from "../../src/app/feed/sequencer.ts";
import { type Action, NEVER, type Status } from "../../src/domain/transaction/transaction.ts";
import type { Currency } from "../../src/domain/values/money.ts";
import { SeededRandom } from "../seeded-random.ts";

export interface PastGame {
  readonly id: number;
  readonly code: string;
  readonly providerId: number;
  readonly provider: string;
  readonly type: "slot" | "live" | "sportsbook";
}

export interface PastTransaction {
  readonly txId: string;
  readonly action: Action;
  status: Status;
  readonly amountMinor: bigint;
  readonly createdAt: number;
  readonly playerId: string;
  readonly game: PastGame;
  readonly refTxId: string | null;
  /** null: an ordinary bet or win, a refund or a rollback. */
  readonly kind: Kind | null;
  /** The kind of pending row: its first call is running, its resend is due, or it waits for a repeat. */
  readonly waits: "first call" | "due" | "repeat";
}

export interface Past {
  readonly merchantId: number;
  readonly currency: Currency;
  readonly transactions: readonly PastTransaction[];
}

export interface PastPlan {
  readonly merchantId: number;
  readonly currency: Currency;
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** Moments around which many transactions are created, a few milliseconds before or after. */
  readonly edges: readonly number[];
  readonly games: readonly PastGame[];
}

const TYPE = { slot: 1, live: 2, sportsbook: 3 } as const;
const PLAYERS = ["ana", "Ana", "ana ", "joão", "=1+1", "日本"];

/**
 * Adds providers and games. Two games have the same code.
 *
 * @param prefix - the prefix of the providers' codes.
 */
export async function addGames({ knex }: Database, prefix = ""): Promise<PastGame[]> {
  const games: PastGame[] = [];
  for (const [own, codes] of [
    ["NORTH", ["a", "b", "c/d"]] as const,
    ["SOUTH", ["a", "live-1"]] as const,
    ["EAST", ["x"]] as const,
  ]) {
    const provider = prefix + own;
    await knex("providers").insert({ code: provider, name: provider, active: 1, epoch: 1 });
    const { id: providerId } = await knex("providers").where({ code: provider }).first("id");
    for (const code of codes) {
      const type = code.startsWith("live") || code === "c/d" ? "live" : "slot";
      await knex("games").insert({
        provider_id: providerId,
        code,
        name: code,
        type: TYPE[type],
        demo_available: 0,
        active: 1,
        details: "{}",
        updated_at: 0,
        epoch: 1,
      });
      const { id } = await knex("games").where({ provider_id: providerId, code }).first("id");
      games.push({ id: Number(id), code, providerId: Number(providerId), provider, type });
    }
  }
  return games;
}

/** Adds merchants with these codes by their numbers. */
export async function addMerchants({ knex }: Database, codes: ReadonlyMap<number, string>): Promise<void> {
  for (const [id, code] of codes)
    await knex("merchants").insert({
      id,
      code,
      name: code,
      currency: "BRL",
      brand: "main",
      products: "slot",
      ip_list: "[]",
      enabled: 1,
      secret: "sk",
      secret_version: 1,
      epoch: 1,
    });
}

/** Generates a history. The same seed gives the same history. */
export function inventPast(seed: number, plan: PastPlan): Past {
  const random = new SeededRandom(seed, plan.merchantId);
  const transactions: PastTransaction[] = [];
  const reversible: PastTransaction[] = [];
  const moment = (): number =>
    random.chance(0.3) ? random.pick(plan.edges) + random.int(-2, 2) : random.int(plan.from, plan.to - 1);
  const status = (): Status => {
    const at = random.fraction();
    return at < 0.86 ? "success" : at < 0.94 ? "pending" : at < 0.98 ? "failed" : "void";
  };
  for (let n = 0; n < plan.count; n++) {
    const original = random.chance(0.15) ? reversible.pop() : undefined;
    const waits = random.pick(["first call", "due", "repeat"] as const);
    if (original === undefined) {
      const action = random.chance(0.6) ? "bet" : "win";
      const amountMinor =
        BigInt(random.chance(0.01) ? 999_999_999_999 : random.int(1, 100_000)) / (plan.currency === "CLP" ? 100n : 1n) +
        1n;
      const game = random.pick(plan.games);
      const own = {
        txId: `${game.provider}:t${n}`,
        action,
        status: status(),
        amountMinor,
        createdAt: moment(),
        game,
        refTxId: null,
        kind: random.chance(0.2) ? random.pick(kindsOf(action)) : null,
        waits,
      } as const;
      const made = { ...own, playerId: random.chance(0.5) ? random.pick(PLAYERS) : `p${random.int(1, 300)}` };
      transactions.push(made);
      if (made.status === "success") reversible.push(made);
    } else {
      const { game, amountMinor, playerId } = original;
      const action = original.action === "bet" ? "refund" : "rollback";
      // Often on another day than the reversed transaction.
      const createdAt = Math.min(Math.max(original.createdAt, moment()), plan.to - 1);
      transactions.push({
        txId: `${game.provider}:t${n}`,
        action,
        status: status(),
        amountMinor,
        createdAt,
        playerId,
        game,
        refTxId: original.txId,
        kind: null,
        waits,
      });
    }
  }
  return { ...plan, transactions };
}

const COLUMNS = [
  "merchant_id",
  "tx_id",
  "action",
  "status",
  "player_id",
  "round_id",
  "amount_minor",
  "currency",
  "provider_id",
  "game_id",
  "ref_tx_id",
  "kind",
  "attempts",
  "lease_until",
  "next_at",
  "created_at",
  "opened_at",
  "updated_at",
  "feed_seq",
  "lease_token",
];

/**
 * Writes the history. The first part of the rows gets numbers, and some of these rows change again afterwards. The
 * other rows have no numbers yet.
 */
export async function writePast(
  database: Database,
  { merchantId, currency, transactions }: Past,
  numberedShare: number,
): Promise<void> {
  const now = Date.now();
  const token = "x'00000000000000000000000000000000'";
  const insert = (part: readonly PastTransaction[]): Promise<void> =>
    database.knex.transaction((db) =>
      insertRows(db, database.dialect, {
        table: "tx",
        columns: COLUMNS.slice(0, -1),
        same: { lease_token: token },
        rows: part.map(({ txId, action, status, playerId, amountMinor, game, refTxId, kind, createdAt, waits }) => [
          merchantId,
          txId,
          ACTION[action],
          STATUS[status],
          playerId,
          "r",
          amountMinor,
          currency,
          game.providerId,
          game.id,
          refTxId,
          kind === null ? null : KIND[kind],
          1,
          status === "pending" && waits === "first call" ? now + 3_600_000 : null,
          status === "pending" && waits !== "first call" ? (waits === "due" ? createdAt + 1_000 : NEVER) : null,
          createdAt,
          createdAt,
          createdAt,
          status === "void" ? 0 : null,
        ]),
      }),
    );
  const known = Math.floor(transactions.length * numberedShare);
  await insert(transactions.slice(0, known));
  await numberAll(database, merchantId);
  await insert(transactions.slice(known));
}

/** Makes all changes of a merchant look as if a replica without sums by kind had numbered them. */
export async function forgetKinds({ knex }: Database, merchantId: number): Promise<void> {
  await knex("ggr_kind").where({ merchant_id: merchantId }).delete();
  await knex("feed_head").where({ merchant_id: merchantId }).update({ kind_seq: null });
}

/** Does the sequencer's work until nothing is left to number. */
export async function numberAll(database: Database, merchantId: number, rowsAtOnce = 5_000): Promise<void> {
  const store = new SqlChangeStore(database);
  for (;;) {
    const found = await store.unnumbered([merchantId], rowsAtOnce);
    if (found.length === 0) return;
    if (!(await store.number(found.map(numberingOf)))) throw new Error("somebody else numbers these rows");
  }
}

/**
 * Settles some of the waiting pending rows, as late answers of wallets do. The sequencer must number these rows again.
 */
export async function settleSome(database: Database, { merchantId, transactions }: Past, every: number): Promise<void> {
  let n = 0;
  const settled = transactions.filter(
    ({ status, waits }) => status === "pending" && waits !== "first call" && n++ % every === 0,
  );
  await database.knex.transaction(async (db) => {
    for (const one of settled) {
      await db("tx")
        .where({ merchant_id: merchantId, tx_id: one.txId })
        .update({ status: STATUS.success, next_at: null, feed_seq: null });
      one.status = "success";
    }
  });
}
