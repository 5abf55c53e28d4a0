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
import { listRounds } from "./rounds.ts";
import { resendTransaction, showTransaction } from "./transaction.ts";
import { listTransactions } from "./transactions.ts";

/** All operations of the API. */
export const apiRoutes = (
  launchGame: LaunchGame,
  catalog: Catalog,
  transactions: Transactions,
  ggrReport: GgrReport,
  surroundings: Surroundings,
  clock: Clock,
): readonly Route[] => [
  launch(launchGame),
  showMerchant(surroundings, clock),
  listGames(catalog),
  showGame(catalog),
  listProviders(catalog),
  listTransactions(transactions),
  showTransaction(transactions),
  resendTransaction(transactions),
  listRounds(transactions),
  showRound(transactions),
  reportGgr(ggrReport),
];
