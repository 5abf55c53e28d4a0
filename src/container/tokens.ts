/** Tokens for types that are not classes. A class is its own token. */
import type { Routes } from "../adapters/grpc/server/grpc-server.ts";
import type { Route } from "../adapters/rest/route.ts";
import type { Database } from "../adapters/sql/connection/database.ts";
import type { Trouble } from "../app/console/alerts/alert-recorder.ts";
import type { Surroundings } from "../app/merchant/surroundings.ts";
import type { SportsbookLaunch } from "../app/sportsbook/sportsbook-launch.ts";
import type { AttemptPolicy } from "../app/transaction/attempt.ts";
import type { GameRef } from "../domain/transaction/transaction.ts";
import type { TxKey } from "../domain/values/identifiers.ts";
import type { Merchant } from "../ports/settings-store.ts";
import type { Tracing } from "../ports/tracing.ts";
import { token } from "./bind.ts";

/** The database is not a port: only the stores and the container use it. */
export const DATABASE = token<Database>("Database");
/** The UUID of this process. Its heartbeats and its claims contain it. */
export const PROCESS_ID = token<string>("ProcessId");
/** The time limits of wallet calls, leases and resends. */
export const POLICY = token<AttemptPolicy>("Policy");
/** The part of the configuration that describes the service's environment. */
export const SURROUNDINGS = token<Surroundings>("Surroundings");

/** All merchants of the settings, also disabled ones. */
export const MERCHANTS = token<() => readonly Merchant[]>("Merchants");
export const MERCHANT_IDS = token<() => readonly number[]>("MerchantIds");
/** The row numbers of the providers that end their rounds. */
export const ENDING_PROVIDER_IDS = token<() => readonly number[]>("EndingProviderIds");
/** The only game of the sportsbook, in the form that transactions use. */
export const SPORTSBOOK_GAME_REF = token<() => GameRef>("SportsbookGameRef");
/** Launches the sportsbook; null without SPORTSBOOK_URL. */
export const SPORTSBOOK_LAUNCH = token<SportsbookLaunch | null>("SportsbookLaunch");
/** Begins traces; null: traces are off. */
export const TRACING = token<Tracing | null>("Tracing");
/** The troubles with wallets that this replica sees now. */
export const TROUBLES = token<() => readonly Trouble[]>("Troubles");
/** Notes that a wallet's late answer to a transaction contradicts the recorded answer. */
export const CONTRADICTED = token<(key: TxKey) => void>("Contradicted");

/** The operations of the signed REST API. */
export const ROUTES = token<readonly Route[]>("Routes");
/** The gRPC services for providers and the sportsbook. Each has a binding of its own. */
export const EXTERNAL_SERVICES = token<Routes>("ExternalServices");
/** The gRPC services for internal teams, beside the external ones. Each has a binding of its own. */
export const INTERNAL_SERVICES = token<Routes>("InternalServices");
/**
 * Returns the API's address for merchants, without /v1. It is called by rpcs, when the listeners have started and their
 * ports are known.
 */
export const API_URL = token<() => string>("ApiUrl");
