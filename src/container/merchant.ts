import type { Container } from "inversify";
import { apiRoutes } from "../adapters/rest/routes/table.ts";
import { SignedApi } from "../adapters/rest/signed-api.ts";
import { RateLimits } from "../app/capacity/rate-limits.ts";
import { SourceRecorder } from "../app/console/source-recorder.ts";
import { Authenticate } from "../app/merchant/authenticate.ts";
import { Catalog } from "../app/merchant/catalog.ts";
import { GgrReport } from "../app/merchant/ggr-report.ts";
import { LaunchGame } from "../app/merchant/launch.ts";
import { Transactions } from "../app/merchant/transactions.ts";
import { Rounds } from "../app/rounds/rounds.ts";
import { Settings } from "../app/runtime/settings.ts";
import { ResendTransaction } from "../app/transaction/resend-transaction.ts";
import { type Config, keepsEndedSecrets, publicPath } from "../config.ts";
import { Clock } from "../ports/clock.ts";
import { NonceStore } from "../ports/nonce-store.ts";
import { Random } from "../ports/random.ts";
import { SessionStore } from "../ports/session-store.ts";
import { GameLauncher } from "../ports/sources/game-launcher.ts";
import { SourceHours } from "../ports/sources/source-hours.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { GgrStore } from "../ports/transactions/ggr-store.ts";
import { RoundStore } from "../ports/transactions/round-store.ts";
import { TransactionReader } from "../ports/transactions/transaction-reader.ts";
import { bind } from "./bind.ts";
import { PROCESS_ID, ROUTES, SPORTSBOOK_LAUNCH, SURROUNDINGS } from "./tokens.ts";

/** Binds what merchants call: the signed REST API and its use cases. */
export function bindMerchantApi(container: Container, config: Config): void {
  bind(container, Authenticate, [Settings, NonceStore, RateLimits, Clock, Telemetry], {
    explains: keepsEndedSecrets(config),
    pathPrefix: publicPath(config),
  });
  bind(container, SourceRecorder, [SourceHours, PROCESS_ID, Settings, Clock, Telemetry]);
  bind(container, LaunchGame, [Settings, SessionStore, GameLauncher, Random, Clock, Telemetry, SPORTSBOOK_LAUNCH]);
  bind(container, Catalog, [Settings]);
  bind(container, Rounds, [RoundStore, Settings]);
  bind(container, Transactions, [TransactionReader, ResendTransaction, Rounds, Clock, Telemetry]);
  bind(container, GgrReport, [GgrStore, Telemetry]);
  container
    .bind(ROUTES)
    .toResolvedValue(apiRoutes, [LaunchGame, Catalog, Transactions, GgrReport, SURROUNDINGS, Clock]);
  bind(container, SignedApi, [Authenticate, ROUTES, Telemetry]);
}
