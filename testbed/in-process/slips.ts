/** Slips with the in-memory stores and a wallet on a real socket. A test chooses the number of replicas. */

import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { LoadShedder } from "../../src/app/capacity/load-shedder.ts";
import { RoundEnds } from "../../src/app/rounds/round-ends.ts";
import { Settings } from "../../src/app/runtime/settings.ts";
import { PlaceBetslipThroughWallet, type SlipRequest } from "../../src/app/sportsbook/place-betslip.ts";
import { SlipWorker } from "../../src/app/sportsbook/slip-worker.ts";
import { Slips } from "../../src/app/sportsbook/slips.ts";
import { MoveMoneyThroughWallet } from "../../src/app/transaction/move-money.ts";
import { PlayerLookup } from "../../src/app/transaction/player-lookup.ts";
import { QueryBalanceOfWallet } from "../../src/app/transaction/query-balance.ts";
import { SPORTSBOOK } from "../../src/domain/catalog/provider.ts";
import type { Result } from "../../src/domain/errors.ts";
import type { SlipBet, SlipReport } from "../../src/domain/transaction/betslip.ts";
import { type PlayerId, type ProviderCode, wireTxId } from "../../src/domain/values/identifiers.ts";
import type { SessionStore } from "../../src/ports/session-store.ts";
import type { Merchant } from "../../src/ports/settings-store.ts";
import { merchantRecord } from "../directory/records.ts";
import { MemorySessionStore } from "../memory/session-store.ts";
import { MemorySettingsStore } from "../memory/settings-store.ts";
import { MemorySlipStore } from "../memory/slip-store.ts";
import { type EngineOptions, startEngine } from "./engine.ts";

const random = new SystemRandom();
const CODE = SPORTSBOOK as ProviderCode;

/** `b1:250` is bet b1 of 250 minor units in round r-b1. Without an amount the bet is 100. */
const betOf = (text: string): SlipBet => {
  const [txId = "", amount = "100"] = text.split(":");
  return { txId, roundId: `r-${txId}`, amountMinor: BigInt(amount) };
};

export async function startSlips(
  options: EngineOptions & {
    readonly maxInFlight?: number;
    readonly takenUpMax?: number;
    readonly sessions?: SessionStore;
  } = {},
) {
  // Both times are so long that on a busy machine no call times out, and no quiet period ends, unless a test wants it.
  const walletTimeoutMs = options.walletTimeoutMs ?? 8_000;
  const engine = await startEngine({ quietPeriodMs: 60_000, ...options, walletTimeoutMs });
  const { clock, telemetry } = engine;
  const settingsStore = new MemorySettingsStore(clock);
  const save = (merchant: Partial<Merchant> = {}) =>
    settingsStore.save({
      kind: "merchant",
      merchant: merchantRecord("shop", { products: ["sportsbook"], ...merchant }),
    });
  await save();
  const settings = new Settings(settingsStore, clock, telemetry);
  await settings.start();
  const sessions = options.sessions ?? new MemorySessionStore(clock);
  const merchantId = settings.merchant("shop")?.id ?? 0;
  for (const player of ["ana", "rui"]) {
    await sessions.create({
      id: `s-${player}`,
      merchantId,
      playerId: player as PlayerId,
      playerRef: `ref-${player}`,
      provider: CODE,
      game: "sportsbook",
      demo: false,
      language: "pt",
      country: "BR",
    });
  }
  const provider = settings.provider(SPORTSBOOK);
  const catalog = settings.game(SPORTSBOOK, "sportsbook");
  if (provider === undefined || catalog === undefined) throw new Error("the sportsbook is not there");
  const game = { id: catalog.id, code: catalog.code, providerId: provider.id, provider: CODE };
  const store = new MemorySlipStore(() => Date.now());

  const replica = (slipStore = store) => {
    const { transact, permits } = engine.replica();
    const loadShedder = new LoadShedder(clock, options.maxInFlight ?? 1_000);
    const players = new PlayerLookup(sessions, settings, clock, 1_000);
    const balance = new QueryBalanceOfWallet(
      players,
      engine.http,
      permits,
      loadShedder,
      telemetry,
      { walletTarget: () => engine.target },
      clock,
    );
    const policy = { walletTimeoutMs };
    const ends = new RoundEnds(engine.store.rounds, settings, settingsStore, clock);
    const slips = new Slips(slipStore, transact, () => game, clock, random, telemetry, policy);
    return {
      slips,
      load: loadShedder,
      money: new MoveMoneyThroughWallet(players, transact, balance, loadShedder, telemetry, ends),
      placeBetslip: new PlaceBetslipThroughWallet(players, slips, transact, balance, loadShedder, clock, telemetry),
      worker: new SlipWorker(slipStore, slips, clock, telemetry, options.takenUpMax ?? 1),
    };
  };
  const first = replica();

  const place = (
    slipId: string,
    bets: string,
    more: Partial<SlipRequest> & { waitMs?: number } = {},
    on = first,
  ): Promise<Result<SlipReport>> => {
    const { waitMs = 20_000, ...overrides } = more;
    const request = {
      provider,
      sessionId: "s-ana",
      slipId,
      bets: bets.split(" ").map(betOf),
      currency: "",
      deadline: clock.monotonic() + waitMs,
    };
    return on.placeBetslip.place({ ...request, ...overrides });
  };

  return {
    engine,
    settings,
    sessions,
    store,
    replica,
    first,
    place,
    /**
     * A short text with the slip's final status and each bet, `failed: b1 success/success, b2 failed X, b3 failed
     * NOT_SENT`; or the refusal's code.
     */
    submit: async (...args: Parameters<typeof place>): Promise<string> => outcomeText(await place(...args)),
    /**
     * Sends a `win` or `refund` for Ana in round r-<round>. Returns a text: the wire id with the status and the
     * wallet's code, or the code of the refusal.
     */
    async move(action: "win" | "refund", txId: string, round: string, amountMinor = 100n, on = first): Promise<string> {
      const refTxId = action === "refund" ? round : "";
      const named = {
        provider,
        sessionId: "s-ana",
        playerRef: "",
        game: "sportsbook",
        currency: "BRL",
        deadline: clock.monotonic() + 20_000,
      };
      const moved = await on.money.move({ ...named, action, txId, refTxId, roundId: `r-${round}`, amountMinor });
      if (!moved.ok) return `${moved.refusal.code} ${moved.refusal.field ?? ""}`.trim();
      return [moved.value.status, moved.value.error, moved.value.txId].filter((part) => part !== "").join(" ");
    },
    /** Changes the merchant. The service loads the change at once. */
    async change(merchant: Partial<Merchant>) {
      await save(merchant);
      await settings.readForUnknown();
    },
    /** Stores a slip whose process died before its first bet, `ageMs` ago. */
    async createAbandoned(slipId: string, bets: string, on = store): Promise<void> {
      await on.open(
        { merchantId, slipId, playerId: "ana" as PlayerId, currency: "BRL", bets: bets.split(" ").map(betOf) },
        random.token(),
        0,
      );
    },
    row: async (own: string) => (await engine.store.read([{ merchantId, txId: wireTxId(CODE, own) }]))[0],
    slip: (slipId: string) => store.read({ merchantId, slipId }),
    async close() {
      settings.stop();
      await engine.close();
    },
  };
}

function outcomeText(result: Result<SlipReport>): string {
  if (!result.ok) {
    const { code, field, details } = result.refusal;
    const fields = Array.isArray(details) ? details.map((fault) => fault.field) : [];
    return [code, field, ...fields].filter((part) => part !== undefined).join(" ");
  }
  const { status, bets } = result.value;
  const each = bets.map((bet) => {
    const refund =
      bet.refund === null
        ? ""
        : `/${bet.refund.status}${bet.refund.txId === `refund~${bet.txId}` ? "" : ` by ${bet.refund.txId}`}`;
    return [bet.txId, `${bet.status}${refund}`, bet.error].filter((part) => part !== "").join(" ");
  });
  return `${status}: ${each.join(", ")}`;
}
