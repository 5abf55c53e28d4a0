import test from "ava";
import {
  Actions,
  type On,
  type TransactionStoreSetup,
  type TransactionStoreTraits,
} from "./transaction-store/actions.ts";
import { claims } from "./transaction-store/claim.ts";
import { labels } from "./transaction-store/labels.ts";
import { marks } from "./transaction-store/mark.ts";
import { plays } from "./transaction-store/play.ts";
import { rounds } from "./transaction-store/rounds.ts";
import { schedules } from "./transaction-store/schedule.ts";
import { settles } from "./transaction-store/settle.ts";
import { settlesOfReversals } from "./transaction-store/settle-reversal.ts";
import { settlements } from "./transaction-store/settlement.ts";
import { takeOvers } from "./transaction-store/take-over.ts";

/** The contract of ports/transactions/transaction-store.ts, for every implementation. */
export function transactionStoreContract(
  name: string,
  open: () => Promise<TransactionStoreSetup>,
  traits: TransactionStoreTraits = {},
): void {
  const on: On = (title, run) =>
    // The tests run one after the other, because some of them make concurrent calls themselves, and some measure time.
    test.serial(`${name}: ${title}`, async (t) => {
      const setup = await open();
      const store = setup.stores[0];
      await run(t, { ...setup, store, a: new Actions(store, setup) });
    });
  claims(on, traits);
  takeOvers(on);
  marks(on);
  labels(on);
  settlements(on);
  plays(on);
  settles(on);
  settlesOfReversals(on);
  schedules(on);
  rounds(on);
}
