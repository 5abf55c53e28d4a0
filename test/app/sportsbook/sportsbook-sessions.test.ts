import test from "ava";
import { JwtLaunchTokens } from "../../../src/adapters/jwt/jwt-launch-tokens.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import { LaunchGame } from "../../../src/app/merchant/launch.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { SportsbookLaunch } from "../../../src/app/sportsbook/sportsbook-launch.ts";
import { type OpenSession, SportsbookSessions } from "../../../src/app/sportsbook/sportsbook-sessions.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import type { Result } from "../../../src/domain/errors.ts";
import { readLaunch } from "../../../src/domain/merchant/launch-policy.ts";
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { Merchant } from "../../../src/ports/settings-store.ts";
import { GameLauncher } from "../../../src/ports/sources/game-launcher.ts";
import { StoreUnavailable } from "../../../src/ports/store-unavailable.ts";
import { merchantRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemorySessionStore } from "../../../testbed/memory/session-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";
import { MemoryUsedTokens } from "../../../testbed/memory/used-tokens.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const URL_OF_SPORTSBOOK = "https://sports.example/x";

class NobodyToOpen extends GameLauncher {
  override open(): Promise<string> {
    throw new Error("the sportsbook has no sources");
  }
}

async function world({
  url = URL_OF_SPORTSBOOK as string | null,
  sessions = (clock: ManualClock) => new MemorySessionStore(clock),
} = {}) {
  const clock = new ManualClock();
  const store = new MemorySettingsStore(clock);
  for (const code of ["house", "other"])
    await store.save({
      kind: "brand",
      brand: { code, name: code, theme: "gold-navy", layout: "tile", settings: { a: 1 }, allowedOrigins: [] },
    });
  const save = (more: Partial<Merchant> = {}) =>
    store.save({ kind: "merchant", merchant: merchantRecord("casa", more) });
  await save();
  const telemetry = new RecordedTelemetry();
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  settings.stop();
  const kept = sessions(clock);
  const random = new SystemRandom();
  const tokens = new JwtLaunchTokens(new Uint8Array(32), clock);
  const used = new MemoryUsedTokens(clock);
  const sportsbook = url === null ? null : new SportsbookLaunch(kept, tokens, random, url);
  const launchGame = new LaunchGame(settings, kept, new NobodyToOpen(), random, clock, telemetry, sportsbook);
  const service = new SportsbookSessions(settings, kept, tokens, used, telemetry);
  const launch = async (more: object = {}) => {
    const request = readLaunch({ player_id: "ana", game: "sportsbook", ...more });
    return request.ok ? launchGame.launch(settings.merchant("casa") as Merchant, request.value) : request;
  };
  return {
    clock,
    kept,
    service,
    settings,
    launch,
    tokens,
    change: async (more: Partial<Merchant>) => {
      await save(more);
      await settings.refresh();
    },
    async token(more: object = {}): Promise<string> {
      const launched = await launch(more);
      if (!launched.ok) throw new Error(launched.refusal.code);
      return new URL(launched.value.launchUrl).searchParams.get("jwt") ?? "";
    },
    async session(): Promise<OpenSession> {
      const exchanged = await service.exchange(await this.token());
      if (!exchanged.ok) throw new Error(exchanged.refusal.code);
      return exchanged.value;
    },
  };
}

const codeOf = (result: Result<unknown>): string => (result.ok ? "ok" : result.refusal.code);

test("a launch of the sportsbook returns its address with the language, a token and the brand", async (t) => {
  const { launch } = await world();
  for (const [lang, path] of [
    [undefined, "pt"],
    ["es", "es"],
    ["en-US", "en"],
    ["PT-br", "pt"],
  ]) {
    const launched = await launch(lang === undefined ? {} : { lang });
    if (!launched.ok) return t.fail(launched.refusal.code);
    const { launchUrl, ...rest } = launched.value;
    t.deepEqual(rest, { game: "sportsbook", provider: "SPORTSBOOK", demo: false });
    t.regex(
      launchUrl,
      new RegExp(`^https://sports\\.example/x/${path}/\\?jwt=[\\w-]+\\.[\\w-]+\\.[\\w-]+&brand=house$`),
    );
  }
});

test("a launch of the sportsbook is refused if its address is not configured, for a demo, and for a merchant without the product or without a walletUrl", async (t) => {
  const { launch, change } = await world();
  t.is(codeOf(await launch({ demo: true })), "LAUNCH_FAILED");
  await change({ products: ["slot"] });
  t.is(codeOf(await launch({ demo: true })), "PRODUCT_NOT_ENABLED");
  await change({ walletUrl: null });
  t.is(codeOf(await launch()), "WALLET_NOT_CONFIGURED");
  t.is(codeOf(await (await world({ url: null })).launch()), "LAUNCH_FAILED");
});

test("a token is exchanged once for a session of its player, merchant and brand", async (t) => {
  const { service, token, kept } = await world();
  const text = await token({ lang: "en-US", country: "AR" });
  const exchanged = await service.exchange(text);
  if (!exchanged.ok) return t.fail(exchanged.refusal.code);
  const { session, merchant, brand } = exchanged.value;
  t.like(session, {
    playerId: "ana",
    provider: "SPORTSBOOK",
    game: "sportsbook",
    demo: false,
    language: "en-US",
    country: "AR",
  });
  t.is(merchant.code, "casa");
  t.like(brand, { code: "house", theme: "gold-navy", layout: "tile" });
  t.deepEqual(await kept.player(session.playerRef, "SPORTSBOOK" as ProviderCode), {
    merchantId: merchant.id,
    playerId: "ana" as PlayerId,
    playerRef: session.playerRef,
  });
  t.is(codeOf(await service.exchange(text)), "TOKEN_USED");
  t.not((await world().then((other) => other.session())).session.id, session.id);
});

test("every launch has its own session, even for the same player", async (t) => {
  const of = await world();
  const [first, second] = [await of.session(), await of.session()];
  t.not(first.session.id, second.session.id);
  t.is(first.session.playerRef, second.session.playerRef);
});

test("an expired token, a token whose merchant changed its brand, and an unknown token are refused", async (t) => {
  const { service, token, clock, change, tokens } = await world();
  const [late, moved] = [await token(), await token()];
  await change({ brand: "other" });
  t.is(codeOf(await service.exchange(moved)), "TOKEN_INVALID");
  await change({ brand: "house" });
  t.is(codeOf(await service.exchange(moved)), "ok");
  clock.jump(10 * MINUTE);
  t.is(codeOf(await service.exchange(late)), "TOKEN_EXPIRED");
  t.is(codeOf(await service.exchange((await tokens.issue("f".repeat(32), "house")).token)), "TOKEN_INVALID");
  t.is(codeOf(await service.exchange("")), "TOKEN_INVALID");
});

test("a session ends 30 minutes after its last use; reading the session counts as a use", async (t) => {
  const of = await world();
  const { session, expiresAt } = await of.session();
  t.is(expiresAt, of.clock.now() + 30 * MINUTE);
  of.clock.jump(29 * MINUTE);
  const looked = await of.service.get(session.id);
  t.is(looked.ok && looked.value.expiresAt, of.clock.now() + 30 * MINUTE);
  of.clock.jump(30 * MINUTE - 1);
  t.is(codeOf(await of.service.get(session.id)), "ok");
  of.clock.jump(30 * MINUTE);
  t.is(codeOf(await of.service.get(session.id)), "SESSION_EXPIRED");
});

test("a session ends 12 hours after its launch, even when it is used", async (t) => {
  const of = await world();
  const { session } = await of.session();
  const endsAt = of.clock.now() + 12 * HOUR;
  for (let used = 0; used < 47; used++) {
    of.clock.jump(15 * MINUTE);
    t.is(codeOf(await of.service.get(session.id)), "ok");
  }
  const looked = await of.service.get(session.id);
  t.is(looked.ok && looked.value.expiresAt, endsAt);
  of.clock.jump(15 * MINUTE);
  t.is(codeOf(await of.service.get(session.id)), "SESSION_EXPIRED");
});

test("an ended session gets SESSION_EXPIRED and may be ended again; another provider's session is unknown", async (t) => {
  const of = await world();
  const { session } = await of.session();
  t.is(codeOf(await of.service.end(session.id)), "ok");
  t.is(codeOf(await of.service.get(session.id)), "SESSION_EXPIRED");
  t.is(codeOf(await of.service.end(session.id)), "ok");
  await of.kept.create({ ...session, id: "acme", provider: "ACME" as ProviderCode });
  for (const id of ["acme", "nobody's", ""]) {
    t.is(codeOf(await of.service.get(id)), "SESSION_NOT_FOUND", id);
    t.is(codeOf(await of.service.end(id)), "SESSION_NOT_FOUND", id);
  }
});

test("a session accepts bets until 30 minutes after its last use; each look-up is a use, but a look-up after the end does not open it again", async (t) => {
  const of = await world();
  const { session } = await of.session();
  const provider = of.settings.provider("SPORTSBOOK");
  if (provider === undefined) return t.fail();
  const players = new PlayerLookup(of.kept, of.settings, of.clock, 24 * HOUR);
  const gate = async () => {
    const found = await players.find({ provider, sessionId: session.id, playerRef: "", game: "" });
    return found.ok
      ? ((await players.gate(found.value, "BRL", [{ roundId: "r", field: "round_id" }]))?.code ?? "open")
      : found.refusal.code;
  };
  t.is(await gate(), "open");
  of.clock.jump(29 * MINUTE);
  await players.find({ provider, sessionId: session.id, playerRef: "", game: "" });
  of.clock.jump(29 * MINUTE);
  t.is(await gate(), "open");
  of.clock.jump(30 * MINUTE);
  t.is(await gate(), "SESSION_EXPIRED");
  await players.find({ provider, sessionId: session.id, playerRef: "", game: "" });
  t.is(await gate(), "SESSION_EXPIRED");
  t.is(codeOf(await of.service.get(session.id)), "SESSION_EXPIRED");
});

test("if the database is unavailable, the answer is SERVICE_UNAVAILABLE, and no token is used up", async (t) => {
  class FailingSessions extends MemorySessionStore {
    away = false;
    override async read(id: string) {
      if (this.away) throw new StoreUnavailable("gone");
      return super.read(id);
    }
  }
  let store: FailingSessions | undefined;
  const of = await world({
    sessions: (clock) => {
      store = new FailingSessions(clock);
      return store;
    },
  });
  const token = await of.token();
  if (store === undefined) return t.fail();
  store.away = true;
  t.is(codeOf(await of.service.exchange(token)), "SERVICE_UNAVAILABLE");
  t.is(codeOf(await of.service.get("x")), "SERVICE_UNAVAILABLE");
  t.is(codeOf(await of.service.end("x")), "SERVICE_UNAVAILABLE");
  store.away = false;
  t.is(codeOf(await of.service.exchange(token)), "ok");
});
