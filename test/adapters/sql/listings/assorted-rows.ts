/**
 * Random rows, random queries, and a plain implementation of the queries' filters. The database's answers are compared
 * with this implementation.
 */
import type { Action } from "../../../../src/domain/transaction/transaction.ts";
import type { TransactionQuery } from "../../../../src/ports/transactions/transaction-reader.ts";
import { type StoredRow, storedRow } from "../../../../testbed/database/stored-rows.ts";
import type { Replicas } from "../stores.ts";

export const BEGIN = 1_767_225_600_000;
type Games = Awaited<ReturnType<typeof addGames>>;

/** Random numbers below a bound. The same seed gives the same numbers. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Two providers that each have a game with the same code, and one more game. */
export async function addGames({ databases: [database], game }: Replicas) {
  const codes = { ACME: ["fruits", "gems"], BETA: ["fruits"] } as const;
  if ((await database.knex("providers").where({ code: "BETA" })).length === 0) {
    const all = { type: 1, demo_available: 1, active: 1, details: "{}", updated_at: 0, epoch: 1, name: "" };
    await database.knex("providers").insert({ code: "BETA", name: "Beta", active: 1, epoch: 1 });
    const beta = await database.knex("providers").where({ code: "BETA" }).first("id");
    await database.knex("games").insert([
      { ...all, provider_id: game.providerId, code: "gems" },
      { ...all, provider_id: beta.id, code: "fruits" },
    ]);
  }
  const found = await database
    .knex("games")
    .join("providers", "providers.id", "games.provider_id")
    .select("games.id", "games.code", "provider_id", "providers.code as p");
  const games = found.map((row) => ({
    gameId: Number(row.id),
    game: String(row.code),
    providerId: Number(row.provider_id),
    provider: String(row.p),
  }));
  return games.filter((one) => Object.hasOwn(codes, one.provider));
}

export const one = <T>(next: (below: number) => number, of: readonly T[]): T => of[next(of.length)] as T;

const KINDS_OF = { bet: ["tip", "adjustment"], win: ["jackpot", "adjustment"] } as const;

/** Rows of every action and status within 150 ms, many of them at the same moment, and some of another merchant. */
export function assorted(
  merchantId: number,
  otherMerchantId: number,
  games: Games,
  next: (below: number) => number,
): StoredRow[] {
  return Array.from({ length: 400 }, (_, i) => {
    const { gameId, providerId } = one(next, games);
    const action = one(next, ["bet", "bet", "win", "refund", "rollback"] as const);
    return storedRow({
      merchantId: next(20) === 0 ? otherMerchantId : merchantId,
      txId: `ACME:${i}`,
      action,
      gameId,
      providerId,
      status: one(next, ["success", "success", "pending", "failed", "void"] as const),
      playerId: one(next, ["ana", "rui", "Ana"]),
      roundId: `r${next(12)}`,
      refTxId: action === "bet" || action === "win" ? null : `ACME:${next(40)}`,
      createdAt: BEGIN + next(150),
      feedSeq: next(8) === 0 ? null : i + 1,
      ...((action === "bet" || action === "win") && next(3) === 0 && { labels: { kind: one(next, KINDS_OF[action]) } }),
    });
  });
}

/** A random query: each filter is set or not. */
export function someQuery(merchantId: number, next: (below: number) => number): TransactionQuery {
  const maybe = <T>(share: number, of: readonly T[]): T | undefined => (next(100) < share ? one(next, of) : undefined);
  const from = maybe(50, [BEGIN, BEGIN + 30, BEGIN + 75]);
  return {
    merchantId,
    order: one(next, ["asc", "desc"] as const),
    from,
    to: maybe(50, [BEGIN + 76, BEGIN + 120, BEGIN + 150]),
    status: maybe(40, ["success", "pending", "failed"] as const),
    action: maybe(30, ["bet", "win", "refund", "rollback"] as const),
    playerId: maybe(20, ["ana", "rui", "nobody"]),
    roundId: maybe(15, ["r1", "r5"]),
    txId: maybe(5, ["ACME:7", "acme:7"]),
    refTxId: maybe(8, ["ACME:3", "ACME:9"]),
    provider: maybe(25, ["ACME", "BETA", "NONE"]),
    game: maybe(25, ["fruits", "gems", "none"]),
    kind: maybe(25, ["tip", "jackpot", "adjustment"] as const),
  };
}

/** The ids of the rows that the query matches, in its order. */
export function matching(rows: readonly StoredRow[], query: TransactionQuery, games: Games): string[] {
  const gameOf = (row: StoredRow) => games.find(({ gameId }) => gameId === row.gameId);
  const is = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value;
  const found = rows
    .map((row, i) => ({ row, i }))
    .filter(({ row }) => row.merchantId === query.merchantId && row.status !== "void")
    .filter(({ row }) => row.createdAt >= (query.from ?? 0) && row.createdAt < (query.to ?? Number.MAX_SAFE_INTEGER))
    .filter(
      ({ row }) =>
        is<string>(query.status, row.status) &&
        is<Action>(query.action, row.action) &&
        is(query.playerId, row.playerId) &&
        is<string | null | undefined>(query.kind, row.labels.kind) &&
        is(query.roundId, row.roundId),
    )
    .filter(({ row }) => is(query.txId, row.txId) && is<string | null>(query.refTxId, row.refTxId))
    .filter(({ row }) => is(query.provider, gameOf(row)?.provider) && is(query.game, gameOf(row)?.game))
    .sort((a, b) => a.row.createdAt - b.row.createdAt || a.i - b.i)
    .map(({ row }) => row.txId);
  return query.order === "asc" ? found : found.reverse();
}
