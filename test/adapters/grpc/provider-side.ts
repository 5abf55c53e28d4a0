/**
 * The two sides of aggregator.provider.v1.WalletService for tests: a provider with its keys, and use cases with
 * scripted answers.
 */
import { createHash } from "node:crypto";
import type { ExecutionContext } from "ava";
import { ProviderKeys } from "../../../src/adapters/grpc/provider/keys.ts";
import { ProviderWallet } from "../../../src/adapters/grpc/provider/wallet.ts";
import { GrpcServer, type GrpcServerOptions, type Routes } from "../../../src/adapters/grpc/server/grpc-server.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { MoveMoney, type MoveRequest } from "../../../src/app/transaction/move-money.ts";
import type { MoveReply } from "../../../src/app/transaction/move-reply.ts";
import type { PlayReply, PlayRequest } from "../../../src/app/transaction/play.ts";
import { type BalanceRequest, QueryBalance } from "../../../src/app/transaction/query-balance.ts";
import type { ReverseReply, ReverseRequest } from "../../../src/app/transaction/reverse-transaction.ts";
import { ok, type Result } from "../../../src/domain/errors.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import {
  type ApiKey,
  type EpochReading,
  type GameSlice,
  type Provider,
  type SettingsChanges,
  SettingsStore,
} from "../../../src/ports/settings-store.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

export const KEY = "key-of-ACME-0123456789";
export const SPORTSBOOK_KEY = "key-of-SPORTSBOOK-0123456789";
export const REVOKED_KEY = "key-that-was-revoked-0123456789";
export const EXPIRED_KEY = "key-that-expired-0123456789";

const apiKey = (key: string, more: Partial<ApiKey> = {}): ApiKey => ({
  name: "test",
  hash: createHash("sha256").update(key).digest("hex"),
  expiresAt: null,
  revoked: false,
  ...more,
});

const provider = (id: number, code: string, keys: readonly ApiKey[]): Provider => ({
  id,
  code: code as ProviderCode,
  name: code,
  active: true,
  activeChangedAt: 0,
  endsRoundsSince: null,
  sources: [],
  keys,
});

/** A settings store that contains only providers. */
class ProvidersStore extends SettingsStore {
  #epoch = 1n;
  /** An error that every read throws, if it is set. */
  fault: Error | undefined;
  #providers: readonly Provider[] = [
    provider(1, "ACME", [
      apiKey(KEY),
      apiKey(REVOKED_KEY, { revoked: true }),
      apiKey(EXPIRED_KEY, { expiresAt: 1_000 }),
    ]),
    provider(2, "SPORTSBOOK", [apiKey(SPORTSBOOK_KEY)]),
  ];

  /** Replaces ACME's keys, as an admin does on another replica. */
  replaceKeys(...keys: readonly string[]): void {
    this.#providers = [
      provider(
        1,
        "ACME",
        keys.map((key) => apiKey(key)),
      ),
    ];
    this.#epoch += 1n;
  }

  override async epoch(): Promise<EpochReading> {
    if (this.fault !== undefined) throw this.fault;
    return { epoch: this.#epoch, now: Date.now() };
  }

  override async load(): Promise<SettingsChanges> {
    if (this.fault !== undefined) throw this.fault;
    return {
      ...(await this.epoch()),
      brands: [],
      merchants: [],
      providers: this.#providers,
      games: [],
      adminKeys: [],
    };
  }

  override async games(): Promise<GameSlice> {
    return { games: [], next: null };
  }

  override async save(): Promise<void> {
    throw new Error("this store is read alone");
  }
}

export const moved = (more: Partial<MoveReply> = {}): Result<MoveReply> =>
  ok({ status: "success", balanceMinor: 1_000n, error: "", txId: "", ...more });

type Answer<T> = (request: T) => Promise<Result<MoveReply>> | Result<MoveReply>;

/** Answers with `answer` and records the requests. */
class ScriptedMoney extends MoveMoney {
  readonly requests: MoveRequest[] = [];
  answer: Answer<MoveRequest> = () => moved();

  override async move(request: MoveRequest): Promise<Result<MoveReply>> {
    this.requests.push(request);
    return this.answer(request);
  }
}

/** Like {@link ScriptedMoney}. */
class ScriptedReversals {
  readonly requests: ReverseRequest[] = [];
  answer: () => Result<ReverseReply> = () =>
    ok({ status: "success", balanceMinor: null, error: "", txId: "", outcome: "marked" });

  async reverse(request: ReverseRequest): Promise<Result<ReverseReply>> {
    this.requests.push(request);
    return this.answer();
  }
}

/** Like {@link ScriptedMoney}. */
class ScriptedPlays {
  readonly requests: PlayRequest[] = [];
  answer: () => Result<PlayReply> = () => ok({ bet: { ...NOTHING, status: "pending" }, win: null });

  async play(request: PlayRequest): Promise<Result<PlayReply>> {
    this.requests.push(request);
    return this.answer();
  }
}
const NOTHING = { balanceMinor: null, error: "", txId: "" } as const;

/** Like {@link ScriptedMoney}. */
class ScriptedBalance extends QueryBalance {
  readonly requests: BalanceRequest[] = [];
  answer: Answer<BalanceRequest> = () => moved();

  override async query(request: BalanceRequest): Promise<Result<MoveReply>> {
    this.requests.push(request);
    return this.answer(request);
  }
}

const unasked = async (): Promise<never> => {
  throw new Error("no test asks this");
};
const noQuestions = { transaction: unasked, round: unasked, session: unasked };

/** Runs until the test ends. */
export async function startProviderSide(t: ExecutionContext, options: Partial<GrpcServerOptions> = {}) {
  const clock = new SystemClock();
  const telemetry = new RecordedTelemetry();
  const store = new ProvidersStore();
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  const money = new ScriptedMoney();
  const balance = new ScriptedBalance();
  const plays = new ScriptedPlays();
  const reversals = new ScriptedReversals();
  const keys = new ProviderKeys(settings, new WrongKeys(new RateLimits(clock, () => 1), clock, telemetry));
  const wallet = new ProviderWallet(
    keys,
    money,
    plays,
    reversals,
    balance,
    noQuestions,
    { end: unasked },
    clock,
    telemetry,
  );
  const routes: Routes = (router) => void router.service(WalletService, wallet);
  const server = new GrpcServer(routes, {
    host: "127.0.0.1",
    port: 0,
    isRightKey: (authorization) => keys.isRight(authorization),
    ...options,
  });
  t.teardown(async () => {
    settings.stop();
    await server.stop(0);
  });
  const port = await server.start();
  return { clock, telemetry, store, money, balance, plays, reversals, routes, server, port };
}
