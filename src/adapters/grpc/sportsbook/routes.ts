import type { Settings } from "../../../app/runtime/settings.ts";
import type { SportsbookSessions } from "../../../app/sportsbook/sportsbook-sessions.ts";
import { BetService } from "../../../gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { BrandService } from "../../../gen/aggregator/sportsbook/v1/brand_service_pb.ts";
import { SessionService } from "../../../gen/aggregator/sportsbook/v1/session_service_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { ProviderKeys } from "../provider/keys.ts";
import type { Routes } from "../server/grpc-server.ts";
import { type Betting, SportsbookBetHandlers } from "./bets.ts";
import { SportsbookBrandHandlers } from "./brands.ts";
import { SportsbookSessionHandlers } from "./sessions.ts";

/** The use cases behind aggregator.sportsbook.v1. */
export interface Sportsbook extends Betting {
  readonly sessions: SportsbookSessions;
  readonly settings: Pick<Settings, "brand">;
  readonly keys: ProviderKeys;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Adds all services of aggregator.sportsbook.v1. */
export const sportsbookRoutes =
  ({ sessions, settings, keys, clock, telemetry, ...betting }: Sportsbook): Routes =>
  (router) => {
    router.service(SessionService, new SportsbookSessionHandlers(keys, sessions, telemetry));
    router.service(BetService, new SportsbookBetHandlers(keys, betting, clock, telemetry));
    router.service(BrandService, new SportsbookBrandHandlers(keys, settings, telemetry));
  };
