/** The search of transactions, on both databases, compared with a plain implementation. */
import test from "ava";
import { SqlTransactionSearch } from "../../../../src/adapters/sql/listings/transaction-search.ts";
import type { TxId } from "../../../../src/domain/values/identifiers.ts";
import type { Match, Matched, Wanted } from "../../../../src/ports/transactions/transaction-search.ts";
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

  test(`${name}: the ids, rounds and players that begin with a text are found once each, byte by byte, and never those of void rows`, async (t) => {
    const replicas = await opened;
    const { merchantId, otherMerchantId } = freshMerchants();
    const { game } = replicas;
    const row = (more: Partial<StoredRow> & Pick<StoredRow, "txId">) =>
      storedRow({ merchantId, providerId: game.providerId, gameId: game.id, ...more });
    await storeRows(replicas.databases[0], [
      ...["ana", "ana", "ana", "ana-brl", "ana 2", "Ana", "anb", "aná"].map((playerId, i) =>
        row({ txId: `ACME:b${i}`, playerId, roundId: `r${i}` }),
      ),
      row({ txId: "ACME:v1", playerId: "anaV", status: "void" }),
      row({ txId: "ACME:b1", playerId: "ana-other", roundId: "r1", merchantId: otherMerchantId }),
    ]);
    const search = new SqlTransactionSearch(replicas.databases[0]);
    const found = async (starts: Partial<Record<Matched, readonly string[]>>, limit = 100) =>
      (
        await search.beginningWith(
          [merchantId, otherMerchantId],
          { tx_id: [], round_id: [], player_id: [], ...starts },
          limit,
        )
      )
        .map((one) => `${one.matched} ${one.merchantId === merchantId ? "own" : "other"} ${one.value}`)
        .sort();
    t.deepEqual(await found({ player_id: ["ana"] }), [
      "player_id other ana-other",
      "player_id own ana",
      "player_id own ana 2",
      "player_id own ana-brl",
    ]);
    t.deepEqual(await found({ player_id: ["Ana", "aná"], tx_id: ["ACME:b7"] }), [
      "player_id own Ana",
      "player_id own aná",
      "tx_id own ACME:b7",
    ]);
    t.is((await found({ tx_id: ["ACME:b"] })).length, 9);
    t.is((await found({ round_id: ["r"] }, 4)).length, 4);
    t.deepEqual(await found({ round_id: ["x"], tx_id: ["acme:b"] }), []);
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
