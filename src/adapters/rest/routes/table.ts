import type { Catalog } from "../../../app/merchant/catalog.ts";
import type { GgrReport } from "../../../app/merchant/ggr-report.ts";
import type { LaunchGame } from "../../../app/merchant/launch.ts";
import type { Surroundings } from "../../../app/merchant/surroundings.ts";
import type { Transactions } from "../../../app/merchant/transactions.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Route } from "../route.ts";
import { showGame } from "./game.ts";
import { listGames } from "./games.ts";
import { reportGgr } from "./ggr.ts";
import { launch } from "./launch.ts";
import { showMerchant } from "./merchant.ts";
import { listProviders } from "./providers.ts";
import { showRound } from "./round.ts";
import { resendTransaction, showTransaction } from "./transaction.ts";
import { listTransactions } from "./transactions.ts";

/** The use cases behind the signed API. */
export interface Operations {
  readonly launchGame: LaunchGame;
  readonly catalog: Catalog;
  readonly transactions: Transactions;
  readonly ggrReport: GgrReport;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
}

/** All operations of the API. */
export const apiRoutes = ({
  launchGame,
  catalog,
  transactions,
  ggrReport,
  clock,
  surroundings,
}: Operations): readonly Route[] => [
  launch(launchGame),
  showMerchant(surroundings, clock),
  listGames(catalog),
  showGame(catalog),
  listProviders(catalog),
  listTransactions(transactions),
  showTransaction(transactions),
  resendTransaction(transactions),
  showRound(transactions),
  reportGgr(ggrReport),
];
