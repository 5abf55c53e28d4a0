import { hostname } from "node:os";
import type { Container } from "inversify";
import { ProviderKeys } from "../adapters/grpc/provider/keys.ts";
import { LoadShedder } from "../app/capacity/load-shedder.ts";
import { WalletPermits } from "../app/capacity/wallet-permits.ts";
import { WrongKeys } from "../app/capacity/wrong-keys.ts";
import { AlertCloser } from "../app/console/alerts/alert-closer.ts";
import { AlertRecorder } from "../app/console/alerts/alert-recorder.ts";
import { RaisedAlerts } from "../app/console/alerts/raised-alerts.ts";
import { CatchUp } from "../app/feed/catch-up.ts";
import { GgrAudit } from "../app/feed/ggr-audit.ts";
import { PendingCensus } from "../app/feed/pending-census.ts";
import { Sequencer } from "../app/feed/sequencer.ts";
import { EndRound } from "../app/rounds/end-round.ts";
import { RoundEnds } from "../app/rounds/round-ends.ts";
import { Janitor } from "../app/runtime/janitor.ts";
import { Settings } from "../app/runtime/settings.ts";
import { Attempt } from "../app/transaction/attempt.ts";
import { BatchedRows } from "../app/transaction/batched-rows.ts";
import { MoveMoney, MoveMoneyThroughWallet } from "../app/transaction/move-money.ts";
import { Play } from "../app/transaction/play.ts";
import { PlayerLookup } from "../app/transaction/player-lookup.ts";
import { ProviderQuestions } from "../app/transaction/provider-questions.ts";
import { QueryBalance, QueryBalanceOfWallet } from "../app/transaction/query-balance.ts";
import { ResendTransaction } from "../app/transaction/resend-transaction.ts";
import { ResendWorker } from "../app/transaction/resend-worker.ts";
import { ReverseTransaction } from "../app/transaction/reverse-transaction.ts";
import { Transact } from "../app/transaction/transact.ts";
import { type Config, keepsEndedSecrets } from "../config.ts";
import { AdminStore } from "../ports/admin-store.ts";
import { Clock } from "../ports/clock.ts";
import { ConsoleSessionStore } from "../ports/console-sessions.ts";
import { HeartbeatStore } from "../ports/heartbeat-store.ts";
import { NonceStore } from "../ports/nonce-store.ts";
import { Random } from "../ports/random.ts";
import { SessionStore } from "../ports/session-store.ts";
import { SettingsStore } from "../ports/settings-store.ts";
import { SourceHours } from "../ports/sources/source-hours.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { AlertStore } from "../ports/transactions/alert-store.ts";
import { ChangeStore } from "../ports/transactions/change-store.ts";
import { GgrAudits } from "../ports/transactions/ggr-audits.ts";
import { GgrStore } from "../ports/transactions/ggr-store.ts";
import { PendingAges } from "../ports/transactions/pending-ages.ts";
import { ProviderRecords } from "../ports/transactions/provider-records.ts";
import { RoundStore } from "../ports/transactions/round-store.ts";
import { StuckMoney, StuckNotes } from "../ports/transactions/stuck-money.ts";
import { TransactionReader } from "../ports/transactions/transaction-reader.ts";
import { TransactionStore } from "../ports/transactions/transaction-store.ts";
import { WalletMinutes } from "../ports/transactions/wallet-minutes.ts";
import { UsedTokens } from "../ports/used-tokens.ts";
import { Wallet } from "../ports/wallet.ts";
import { bind, implement } from "./bind.ts";
import {
  CONTRADICTED,
  ENDING_PROVIDER_IDS,
  MERCHANT_IDS,
  MERCHANTS,
  POLICY,
  PROCESS_ID,
  TRACING,
  TROUBLES,
} from "./tokens.ts";

/**
 * Binds the parts of a transaction's path from a provider's request to the wallet and back, and the resends of credits.
 */
export function bindTransactions(container: Container, config: Config): void {
  bind(container, PlayerLookup, [SessionStore, Settings, Clock], config.sessionMs);
  bind(container, BatchedRows, [TransactionStore, Clock]);
  bind(container, Attempt, [
    BatchedRows,
    Wallet,
    WalletPermits,
    Settings,
    Clock,
    Random,
    Telemetry,
    POLICY,
    Sequencer,
    CONTRADICTED,
  ]);
  bind(container, Transact, [BatchedRows, Attempt, WalletPermits, Clock, Random, Telemetry, POLICY, TRACING]);
  implement(container, QueryBalance, QueryBalanceOfWallet, [
    PlayerLookup,
    Wallet,
    WalletPermits,
    LoadShedder,
    Telemetry,
    Settings,
    Clock,
    TRACING,
  ]);
  implement(container, MoveMoney, MoveMoneyThroughWallet, [
    PlayerLookup,
    Transact,
    QueryBalance,
    LoadShedder,
    Telemetry,
    RoundEnds,
    TRACING,
  ]);
  bind(container, RoundEnds, [RoundStore, Settings, SettingsStore, Clock]);
  bind(container, EndRound, [RoundEnds, ProviderRecords, PlayerLookup, LoadShedder, Telemetry]);
  bind(container, Play, [PlayerLookup, Transact, QueryBalance, LoadShedder, Telemetry, RoundEnds, TRACING]);
  bind(container, ReverseTransaction, [PlayerLookup, Transact, LoadShedder, Clock, Telemetry, TRACING]);
  bind(
    container,
    ResendWorker,
    [TransactionStore, Transact, WalletPermits, MERCHANT_IDS, Clock, Random, Telemetry],
    config.maxInFlight,
  );
  bind(container, ResendTransaction, [TransactionReader, TransactionStore, Sequencer], config.refundQuietPeriodMs);
  bind(container, ProviderQuestions, [ProviderRecords, PlayerLookup, Settings, RoundStore, LoadShedder, Telemetry]);
  bind(container, ProviderKeys, [Settings, WrongKeys]);
}

/**
 * Binds the work that runs beside the requests: it numbers changes, counts pending transactions, compares sums, and
 * deletes expired rows.
 */
export function bindBackgroundWork(container: Container, config: Config): void {
  bind(container, Sequencer, [ChangeStore, MERCHANT_IDS, Clock, Telemetry, ENDING_PROVIDER_IDS]);
  container
    .bind(CONTRADICTED)
    .toResolvedValue(
      (notes, telemetry) => (key) =>
        void notes.contradicted(key).catch((cause) => telemetry.error("noting a contradiction", cause)),
      [StuckNotes, Telemetry],
    );
  bind(container, CatchUp, [StuckNotes, ChangeStore, Clock, Telemetry]);
  bind(container, PendingCensus, [PendingAges, MERCHANTS, Clock, Telemetry]);
  bind(container, AlertRecorder, [RaisedAlerts, AlertStore, Settings, TROUBLES, Clock, Telemetry], hostname());
  bind(container, AlertCloser, [AlertStore, StuckMoney, Settings, POLICY, Clock, Telemetry]);
  bind(container, GgrAudit, [GgrStore, GgrAudits, PROCESS_ID, MERCHANTS, Clock, Telemetry]);
  container.bind(Janitor).toResolvedValue(
    (
      nonces,
      tokens,
      heartbeats,
      sessions,
      consoleSessions,
      walletMinutes,
      alerts,
      sourceHours,
      admin,
      clock,
      telemetry,
    ) => {
      const endedSecrets = { forget: (limit: number) => admin.forgetEndedSecrets(limit) };
      const secrets = keepsEndedSecrets(config) ? {} : { "ended secrets": endedSecrets };
      const stores = {
        nonces,
        tokens,
        heartbeats,
        "session ids": sessions,
        "console sessions": consoleSessions,
        "sums of wallet calls": walletMinutes,
        alerts,
        "results of sources": sourceHours,
        ...secrets,
      };
      return new Janitor(stores, clock, telemetry);
    },
    [
      NonceStore,
      UsedTokens,
      HeartbeatStore,
      SessionStore,
      ConsoleSessionStore,
      WalletMinutes,
      AlertStore,
      SourceHours,
      AdminStore,
      Clock,
      Telemetry,
    ],
  );
}
