/** The end of a batch of Plays: one cheap statement if no Play has a mark, else the one that looks at each line. */
import test from "ava";
import { SqlRoundStore } from "../../../../src/adapters/sql/transactions/round-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { Actions } from "../../../contracts/transaction-store/actions.ts";
import { freshMerchants, serverReplicas, sleep } from "../stores.ts";

const opened = serverReplicas();

test("unmarked Plays end without the statement for each line, and a marked one needs it", async (t) => {
  const { databases, game } = await opened;
  const [database] = databases;
  let careful = 0;
  const transactions = {
    ...database.dialect.transactions,
    settlePlay: (...args: Parameters<typeof database.dialect.transactions.settlePlay>) => {
      careful += 1;
      return database.dialect.transactions.settlePlay(...args);
    },
  };
  const store = new SqlTransactionStore({ ...database, dialect: { ...database.dialect, transactions } });
  const rounds = new SqlRoundStore(database);
  const a = new Actions(store, { ...freshMerchants(), game, stores: [store], rounds, pass: sleep });
  const plays = [await a.play("1"), await a.play("2", {}, true), await a.play("3")];
  t.deepEqual(await store.settlePlay(plays.map((play) => a.endOf(play))), [true, true, true]);
  t.is(careful, 0);
  const [free, marked] = [await a.play("4"), await a.play("5")];
  await database.knex("tx").where({ tx_id: marked.bet.content.txId }).update({ reversed_by: "ACME:refund" });
  t.deepEqual(await store.settlePlay([a.endOf(free), a.endOf(marked)]), [true, false]);
  t.is(careful, 1);
});
