/** The search of transactions, on both databases, compared with a plain implementation. */
import test from "ava";
import { SqlTransactionSearch } from "../../../../src/adapters/sql/listings/transaction-search.ts";
import type { TxId } from "../../../../src/domain/values/identifiers.ts";
import type { Match, Wanted } from "../../../../src/ports/transactions/transaction-search.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { type StoredRow, storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { freshMerchants, serverReplicas, sqlite } from "../stores.ts";
import { addGames, assorted, numbersFrom } from "./assorted-rows.ts";

const NOTHING: Wanted = { txIds: [], roundId: "", playerId: "" };
const shown = ({ matched, transaction }: Match): string =>
  `${matched} ${transaction.merchantId} ${transaction.txId} ${transaction.status}`;

/** The result that the search must have: for each merchant and each kind of match, the newest rows, at most `limit`. */
function expected(rows: readonly StoredRow[], merchantIds: readonly number[], wanted: Wanted, limit: number): string[] {
  const real = rows.map((row, i) => ({ row, i })).filter(({ row }) => row.status !== "void");
  return merchantIds.flatMap((merchantId) => {
    const mine = real.filter(({ row }) => row.merchantId === merchantId);
    const byId = mine.filter(({ row }) => wanted.txIds.includes(row.txId as TxId));
    const ofRound = mine.filter(({ row }) => row.roundId === wanted.roundId).sort((a, b) => b.i - a.i);
    const ofPlayer = mine
      .filter(({ row }) => row.playerId === wanted.playerId)
      .sort((a, b) => b.row.createdAt - a.row.createdAt || b.i - a.i);
    return Object.entries({
      tx_id: byId,
      round_id: ofRound.slice(0, limit),
      player_id: ofPlayer.slice(0, limit),
    }).flatMap(([matched, found]) => found.map(({ row }) => `${matched} ${merchantId} ${row.txId} ${row.status}`));
  });
}

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const) {
  test(`${name}: a search finds the matches of each merchant, up to its limit, and no void rows`, async (t) => {
    const replicas = await opened;
    const { merchantId, otherMerchantId } = freshMerchants();
    const rows = assorted(merchantId, otherMerchantId, await addGames(replicas), numbersFrom(7));
    await storeRows(replicas.databases[0], rows);
    const search = new SqlTransactionSearch(replicas.databases[0]);
    for (const wanted of [
      { ...NOTHING, txIds: ["ACME:3", "ACME:9", "acme:4", "BETA:3"] as TxId[] },
      { ...NOTHING, roundId: "r5" },
      { ...NOTHING, playerId: "Ana" },
      { txIds: ["ACME:3"] as TxId[], roundId: "r1", playerId: "ana" },
      { ...NOTHING, roundId: "R5", playerId: "nobody" },
      NOTHING,
    ])
      for (const merchants of [[merchantId], [merchantId, otherMerchantId], []])
        for (const limit of [1, 7, 1_000]) {
          const found = await search.find(merchants, wanted, limit);
          t.deepEqual(
            found.map(shown).sort(),
            expected(rows, merchants, wanted, limit).sort(),
            JSON.stringify({ wanted, merchants, limit }),
          );
        }
  });

  test(`${name}: a search over more merchants than one statement allows also finds matches of the last merchants`, async (t) => {
    const replicas = await opened;
    const merchantIds = Array.from({ length: 130 }, () => freshMerchants().merchantId);
    const last = merchantIds.at(-1) as number;
    const { game } = replicas;
    await storeRows(replicas.databases[0], [
      storedRow({
        merchantId: last,
        txId: "ACME:only",
        roundId: "alone",
        providerId: game.providerId,
        gameId: game.id,
      }),
    ]);
    const search = new SqlTransactionSearch(replicas.databases[0]);
    const wanted = { txIds: ["ACME:only" as TxId], roundId: "alone", playerId: "x" };
    const found = await search.find(merchantIds, wanted, 10);
    t.deepEqual(found.map(shown).sort(), [`round_id ${last} ACME:only success`, `tx_id ${last} ACME:only success`]);
  });
}
