import type { Container, ServiceIdentifier } from "inversify";
import { ProviderWallet } from "../../src/adapters/grpc/provider/wallet.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { MoveMoney } from "../../src/app/transaction/move-money.ts";
import { NonceStore } from "../../src/ports/nonce-store.ts";
import { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import { UsedTokens } from "../../src/ports/used-tokens.ts";
import { Wallet } from "../../src/ports/wallet.ts";
import { FailpointNonceStore, FailpointUsedTokens } from "./auth-stores.ts";
import type { Failpoint } from "./failpoint.ts";
import { Failpoints } from "./failpoints.ts";
import { FailpointMoveMoney, watchReplies, watchRequests } from "./provider-side.ts";
import { watchStatements } from "./sent-statements.ts";
import { FailpointTransactionStore } from "./transaction-store.ts";
import { FailpointWallet, watchWalletRequests } from "./wallet.ts";

/** Wraps objects that the container creates, to add the failpoints. */
export function installFailpoints(
  container: Container,
  list: readonly Failpoint[],
  database: ServiceIdentifier<Database>,
): void {
  const failpoints = new Failpoints(list);
  const resends = new Set<string>();
  container.onActivation(database, (_, real) => {
    watchStatements(real);
    return real;
  });
  container.onActivation(TransactionStore, (_, real) => new FailpointTransactionStore(real, failpoints, resends));
  container.onActivation(Wallet, (_, real) => new FailpointWallet(real, failpoints, resends));
  container.onActivation(MoveMoney, (_, real) => new FailpointMoveMoney(real, failpoints));
  container.onActivation(NonceStore, (_, real) => new FailpointNonceStore(real, failpoints));
  container.onActivation(UsedTokens, (_, real) => new FailpointUsedTokens(real, failpoints));
  watchRequests(ProviderWallet, failpoints);
  watchWalletRequests(failpoints);
  watchReplies(failpoints);
  process.once("SIGTERM", () => failpoints.pass("CP18", []));
}
