import type { Container, ServiceIdentifier } from "inversify";
import { ProviderWallet } from "../../src/adapters/grpc/provider/wallet.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { MoveMoney } from "../../src/app/transaction/move-money.ts";
import { Play } from "../../src/app/transaction/play.ts";
import { ReverseTransaction } from "../../src/app/transaction/reverse-transaction.ts";
import { NonceStore } from "../../src/ports/nonce-store.ts";
import { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import { UsedTokens } from "../../src/ports/used-tokens.ts";
import { Wallet } from "../../src/ports/wallet.ts";
import { around } from "./around.ts";
import type { Failpoint } from "./failpoint.ts";
import { Failpoints } from "./failpoints.ts";
import { watchedUseCase, watchReplies, watchRequests } from "./provider-side.ts";
import { watchStatements } from "./sent-statements.ts";
import { failpointTransactionStore } from "./transaction-store.ts";
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
  container.onActivation(TransactionStore, (_, real) => failpointTransactionStore(real, failpoints, resends));
  container.onActivation(Wallet, (_, real) => new FailpointWallet(real, failpoints, resends));
  const useCase = watchedUseCase(failpoints);
  container.onActivation(MoveMoney, (_, real) => around(real, { move: useCase }));
  container.onActivation(Play, (_, real) => around(real, { play: useCase }));
  container.onActivation(ReverseTransaction, (_, real) => around(real, { reverse: useCase }));
  container.onActivation(NonceStore, (_, real) =>
    around(real, {
      async use(use, lines) {
        const used = await use(lines);
        await failpoints.reach(
          "CP16",
          lines.map(({ nonce }) => nonce),
        );
        return used;
      },
    }),
  );
  container.onActivation(UsedTokens, (_, real) =>
    around(real, {
      async use(use, jti) {
        const used = await use(jti);
        await failpoints.reach("CP17", [jti]);
        return used;
      },
    }),
  );
  watchRequests(ProviderWallet, failpoints);
  watchWalletRequests(failpoints);
  watchReplies(failpoints);
  process.once("SIGTERM", () => failpoints.pass("CP18", []));
}
