import type { Container } from "inversify";
import { LoadShedder } from "../app/capacity/load-shedder.ts";
import { RateLimits } from "../app/capacity/rate-limits.ts";
import { Replicas } from "../app/capacity/replicas.ts";
import { WalletPermits } from "../app/capacity/wallet-permits.ts";
import { WrongKeys } from "../app/capacity/wrong-keys.ts";
import { WalletRecorder } from "../app/console/wallet-recorder.ts";
import { Settings } from "../app/runtime/settings.ts";
import { Transact } from "../app/transaction/transact.ts";
import type { Config } from "../config.ts";
import { Clock } from "../ports/clock.ts";
import { HeartbeatStore } from "../ports/heartbeat-store.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { WalletMinutes } from "../ports/transactions/wallet-minutes.ts";
import { bind } from "./bind.ts";
import { PROCESS_ID } from "./tokens.ts";

/** Binds the limits: load shedding, wallet permits, rates, and the number of replicas that share the rates. */
export function bindCapacity(container: Container, config: Config): void {
  container
    .bind(LoadShedder)
    .toResolvedValue((clock, transact) => new LoadShedder(clock, config.maxInFlight, transact), [Clock, Transact]);
  container
    .bind(WalletPermits)
    .toResolvedValue(
      (clock, telemetry, settings) =>
        new WalletPermits(clock, telemetry, config.walletConcurrencyPerMerchant, settings),
      [Clock, Telemetry, Settings],
    );
  bind(container, Replicas, [HeartbeatStore, PROCESS_ID, Clock, Telemetry]);
  container
    .bind(RateLimits)
    .toResolvedValue((clock, replicas) => new RateLimits(clock, () => replicas.live), [Clock, Replicas]);
  bind(container, WalletRecorder, [WalletMinutes, PROCESS_ID, WalletPermits, Settings, Clock, Telemetry]);
  bind(container, WrongKeys, [RateLimits, Clock, Telemetry]);
}
