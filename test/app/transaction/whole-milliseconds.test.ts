import test from "ava";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transactions/transaction-store.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { startScriptedWallet } from "../../../testbed/callers/scripted-wallet.ts";
import { outcomeText, startEngine } from "../../../testbed/in-process/engine.ts";

/** A process whose monotonic clock always has a fraction of a millisecond. */
class FractionalClock extends SystemClock {
  override monotonic(): number {
    return Math.floor(super.monotonic()) + Math.random() * 0.9 + 0.05;
  }
}

test("SQLite records a rejected rollback that was silent before, although the process's clock has fractions", async (t) => {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  await migrate(database);
  await database.knex("providers").where({ id: 1 }).update({ code: "ACME" });
  await database.knex("games").where({ id: 1 }).update({ code: "fruits" });
  const wallet = await startScriptedWallet();
  t.teardown(() => wallet.close());
  const quietPeriodMs = 1_500;
  const clock = new FractionalClock();
  const engine = await startEngine({ walletUrl: wallet.url, walletTimeoutMs: 400, quietPeriodMs, clock });
  t.teardown(() => engine.close());
  const store = new SqlTransactionStore(database);
  const { transact } = engine.replica(store);
  const ask = async (...args: [action: "win" | "rollback", id: string, fields?: { ref: string }]) => {
    const [action, id, fields = {}] = args;
    return outcomeText(await engine.ask(action, id, fields, 20_000, transact));
  };
  const rowOf = async (id: string) => (await store.read([engine.content("win", id)]))[0];
  wallet.setAnswers("w", "silent");
  wallet.setAnswers("r", "silent", "INSUFFICIENT_FUNDS");
  await ask("win", "w");
  // The rollback is sent when no late copy of the win can arrive.
  while (wallet.calls("r") < 1) await ask("rollback", "r", { ref: "w" });
  t.is(await ask("rollback", "r", { ref: "w" }), "failed:INSUFFICIENT_FUNDS");
  t.like(await rowOf("r"), { status: "failed" });
  // The rollback releases its win when no late copy of the rollback can arrive.
  t.like(await rowOf("w"), { status: "pending" });
  t.deepEqual(engine.telemetry.errors, []);
  t.is(wallet.calls("r"), 2);
});
