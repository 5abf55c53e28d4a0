import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import { MemoryChangeStore } from "../../testbed/memory/change-store.ts";
import { MemoryTransactionStore } from "../../testbed/memory/transaction-store.ts";
import { MemoryTransactionSupport } from "../../testbed/memory/transaction-support.ts";
import { changeStoreContract } from "../contracts/changes/change-store.ts";
import { transactionStoreContract } from "../contracts/transaction-store.ts";
import { transactionSupportContract } from "../contracts/transaction-support.ts";

const game = { id: 7, code: "fruits", providerId: 3, provider: "ACME" as ProviderCode };
const merchants = { merchantId: 1, otherMerchantId: 2, game };

/** Stores with a clock that only `pass` moves. */
function stores() {
  let now = 1_790_000_000_000;
  const transactions = new MemoryTransactionStore(() => now);
  const pass = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { transactions, changes: new MemoryChangeStore(transactions), pass };
}

transactionStoreContract("memory", async () => {
  const { transactions, pass } = stores();
  return { ...merchants, stores: [transactions], rounds: transactions.rounds, pass };
});

changeStoreContract("memory", async () => {
  const { transactions, changes, pass } = stores();
  return {
    ...merchants,
    transactions,
    rounds: transactions.rounds,
    stores: [changes],
    pass,
    numbers: async (merchantId) => changes.numbers(merchantId),
    lastNumber: async (merchantId) => changes.lastNumber(merchantId),
    sums: async (merchantId) => [...(changes.sums.get(merchantId)?.values() ?? [])],
  };
});

transactionSupportContract("memory", async () => {
  const { transactions, pass } = stores();
  return {
    support: new MemoryTransactionSupport(transactions),
    transactions,
    merchantId: merchants.merchantId,
    game,
    pass,
  };
});
