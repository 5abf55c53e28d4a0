import type { Container } from "inversify";
import { LoadShedder } from "../app/capacity/load-shedder.ts";
import { Settings } from "../app/runtime/settings.ts";
import { PlaceBetslip, PlaceBetslipThroughWallet } from "../app/sportsbook/place-betslip.ts";
import { SlipWorker } from "../app/sportsbook/slip-worker.ts";
import { Slips } from "../app/sportsbook/slips.ts";
import { SportsbookLaunch } from "../app/sportsbook/sportsbook-launch.ts";
import { SportsbookSessions } from "../app/sportsbook/sportsbook-sessions.ts";
import { PlayerLookup } from "../app/transaction/player-lookup.ts";
import { QueryBalance } from "../app/transaction/query-balance.ts";
import { Transact } from "../app/transaction/transact.ts";
import type { Config } from "../config.ts";
import { Clock } from "../ports/clock.ts";
import { LaunchTokens } from "../ports/launch-token.ts";
import { Random } from "../ports/random.ts";
import { SessionStore } from "../ports/session-store.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { SlipStore } from "../ports/transactions/slip-store.ts";
import { UsedTokens } from "../ports/used-tokens.ts";
import { bind, implement } from "./bind.ts";
import { POLICY, SPORTSBOOK_GAME_REF, SPORTSBOOK_LAUNCH, TRACING } from "./tokens.ts";

/** Binds the sportsbook's use cases: launch, sessions and slips. */
export function bindSportsbook(container: Container, { sportsbookUrl }: Config): void {
  if (sportsbookUrl === null) container.bind(SPORTSBOOK_LAUNCH).toConstantValue(null);
  else implement(container, SPORTSBOOK_LAUNCH, SportsbookLaunch, [SessionStore, LaunchTokens, Random], sportsbookUrl);
  bind(container, SportsbookSessions, [Settings, SessionStore, LaunchTokens, UsedTokens, Telemetry]);
  bind(container, Slips, [SlipStore, Transact, SPORTSBOOK_GAME_REF, Clock, Random, Telemetry, POLICY]);
  bind(container, SlipWorker, [SlipStore, Slips, Clock, Telemetry]);
  implement(container, PlaceBetslip, PlaceBetslipThroughWallet, [
    PlayerLookup,
    Slips,
    Transact,
    QueryBalance,
    LoadShedder,
    Clock,
    Telemetry,
    TRACING,
  ]);
}
