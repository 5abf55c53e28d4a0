import test from "ava";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { Merchant, SettingsWrite } from "../../../src/ports/settings-store.ts";
import { dataOf, errorOf, type RestUnderTest, startRest } from "../../../testbed/callers/rest-server.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";

const ACME = "ACME" as ProviderCode;

/** The merchants, providers and games that the tests of all launch errors need. */
async function world(t: Parameters<typeof startRest>[0]): Promise<RestUnderTest> {
  const rest = await startRest(t);
  const merchant = (code: string, more: Partial<Merchant>): SettingsWrite => ({
    kind: "merchant",
    merchant: merchantRecord(code, more),
  });
  for (const write of [
    merchant("no-wallet", { walletUrl: null }),
    merchant("live-only", { products: ["live"] }),
    merchant("chile", { currency: "CLP", defaultLanguage: "es", jurisdiction: "CL" }),
    { kind: "provider", provider: providerRecord("ACME", ["http://opens:1"]) },
    { kind: "provider", provider: providerRecord("OTHER", ["http://opens:2"]) },
    { kind: "provider", provider: providerRecord("OFF", ["http://opens:3"], false) },
    { kind: "provider", provider: providerRecord("BARE", []) },
    { kind: "provider", provider: providerRecord("BROKEN", ["http://fails:1", "http://fails:2"]) },
    { kind: "provider", provider: providerRecord("SPARE", ["http://fails:1", "http://opens:4", "http://opens:5"]) },
    {
      kind: "games",
      provider: ACME,
      games: [
        gameRecord("fruits"),
        gameRecord("twice"),
        gameRecord("off", { active: false }),
        gameRecord("serious", { demoAvailable: false }),
      ],
    },
    { kind: "games", provider: "OTHER" as ProviderCode, games: [gameRecord("twice")] },
    { kind: "games", provider: "OFF" as ProviderCode, games: [gameRecord("closed")] },
    { kind: "games", provider: "BARE" as ProviderCode, games: [gameRecord("bare")] },
    { kind: "games", provider: "BROKEN" as ProviderCode, games: [gameRecord("broken")] },
    { kind: "games", provider: "SPARE" as ProviderCode, games: [gameRecord("spare")] },
  ] as const satisfies readonly SettingsWrite[])
    await rest.store.save(write);
  await rest.settings.readForUnknown();
  return rest;
}

const launch = (rest: RestUnderTest, body: object, merchant = "casa-br") =>
  rest.send({
    method: "POST",
    target: "/v1/game/launch",
    body: JSON.stringify({ player_id: "u-1", ...body }),
    merchant,
  });

test("a launch opens the game at its provider in its own session", async (t) => {
  const rest = await world(t);
  const data = dataOf(
    await launch(rest, {
      game: "fruits",
      lang: "en-us",
      country: "pt",
      lobby_url: "https://lobby.example/?a=1",
      player_ip: "203.0.113.9",
      device: "mobile",
      deposit_url: "https://casino.example/cashier",
      history_url: "https://casino.example/history",
      display_name: "Ana",
    }),
  );
  const [opened] = rest.launcher.requests;
  t.deepEqual(data, {
    launch_url: `https://games.example/fruits?s=${opened?.game.sessionId}`,
    game: "fruits",
    provider: "ACME",
    demo: false,
  });
  const { sessionId, playerRef, ...game } = opened?.game ?? { sessionId: "", playerRef: "" };
  t.deepEqual(game, {
    gameCode: "fruits",
    currency: "BRL",
    language: "en-US",
    country: "PT",
    demo: false,
    merchant: "casa-br",
    brand: "house",
    jurisdiction: null,
    lobbyUrl: "https://lobby.example/?a=1",
    playerIp: "203.0.113.9",
    device: "mobile",
    depositUrl: "https://casino.example/cashier",
    historyUrl: "https://casino.example/history",
    displayName: "Ana",
  });
  for (const id of [sessionId, playerRef]) t.regex(id, /^[0-9a-f]{32}$/);

  await launch(rest, { game: "fruits" }, "chile");
  await launch(rest, { game: "fruits" });
  const [, chilean, again] = rest.launcher.requests;
  t.like(chilean?.game, {
    currency: "CLP",
    language: "es",
    country: "CL",
    jurisdiction: "CL",
    lobbyUrl: null,
    playerIp: null,
    device: null,
  });
  t.not(again?.game.sessionId, sessionId);
  t.is(again?.game.playerRef, playerRef, "the same player");
  t.not(chilean?.game.playerRef, playerRef, "another merchant's player of the same id");
});

test("a demo needs no wallet, and the provider gets a request for a demo", async (t) => {
  const rest = await world(t);
  t.like(dataOf(await launch(rest, { game: "fruits", demo: true }, "no-wallet")), { demo: true });
  t.true(rest.launcher.requests[0]?.game.demo);
});

test("if a source fails, the next source is tried, and the merchant gets a success", async (t) => {
  const rest = await world(t);
  t.like(dataOf(await launch(rest, { game: "spare" })), { game: "spare", provider: "SPARE" });
  t.deepEqual(
    rest.launcher.requests.map((request) => request.source.address),
    ["http://fails:1", "http://opens:4"],
  );
  t.is(new Set(rest.launcher.requests.map((request) => request.game.sessionId)).size, 1);
});

for (const [what, body, merchant, status, code, details] of [
  [
    "with a body that breaks the schema",
    {},
    "casa-br",
    422,
    "VALIDATION_ERROR",
    [{ field: "game", rule: "required", message: "game é obrigatório." }],
  ],
  ["in a currency that is not supported", { game: "fruits", currency: "EUR" }, "casa-br", 400, "UNSUPPORTED_CURRENCY"],
  [
    "in a currency that the merchant does not have",
    { game: "fruits", currency: "usd" },
    "casa-br",
    403,
    "CURRENCY_NOT_ENABLED",
  ],
  ["with a country code that isn't assigned", { game: "fruits", country: "UK" }, "casa-br", 400, "INVALID_COUNTRY"],
  ["of a game that doesn't exist", { game: "nothing" }, "casa-br", 404, "GAME_NOT_FOUND"],
  ["of an inactive game", { game: "off" }, "casa-br", 404, "GAME_NOT_FOUND"],
  ["of a game of an inactive provider", { game: "closed" }, "casa-br", 404, "GAME_NOT_FOUND"],
  [
    "of a game that the named provider does not have",
    { game: "fruits", provider: "OTHER" },
    "casa-br",
    404,
    "GAME_NOT_FOUND",
  ],
  [
    "of a game code that two providers have",
    { game: "twice" },
    "casa-br",
    409,
    "AMBIGUOUS_GAME",
    { providers: ["ACME", "OTHER"] },
  ],
  ["of a product that isn't enabled", { game: "fruits" }, "live-only", 403, "PRODUCT_NOT_ENABLED"],
  ["of a game whose provider has no sources", { game: "bare" }, "casa-br", 422, "PROVIDER_NOT_SUPPORTED"],
  ["of the demo of a game that has no demo", { game: "serious", demo: true }, "casa-br", 502, "LAUNCH_FAILED"],
  ["of a demo of the sportsbook", { game: "sportsbook", demo: true }, "casa-br", 502, "LAUNCH_FAILED"],
  ["of the sportsbook whose address is not configured", { game: "sportsbook" }, "casa-br", 502, "LAUNCH_FAILED"],
  ["for real money without a wallet", { game: "fruits" }, "no-wallet", 409, "WALLET_NOT_CONFIGURED"],
  ["of a game whose provider's sources all fail", { game: "broken" }, "casa-br", 502, "LAUNCH_FAILED"],
] as const) {
  test(`a launch ${what} gets ${status} ${code}`, async (t) => {
    const rest = await world(t);
    const reply = await launch(rest, body, merchant);
    const error = errorOf(reply);
    t.deepEqual([reply.status, error.code], [status, code]);
    if (details !== undefined) t.deepEqual(error.details, details);
    t.is(rest.launcher.requests.length, code === "LAUNCH_FAILED" && "game" in body && body.game === "broken" ? 2 : 0);
  });
}

test("if two providers have a game with the same code, the provider in the request decides", async (t) => {
  const rest = await world(t);
  t.like(dataOf(await launch(rest, { game: "twice", provider: "OTHER" })), { provider: "OTHER" });
});

test("GET /v1/merchant shows the merchant's own data and never the secret", async (t) => {
  const rest = await startRest(t, { sportsbookUrl: "https://sb.example" });
  const reply = await rest.send({});
  t.deepEqual(dataOf(reply), {
    code: "casa-br",
    currency: "BRL",
    brand: "house",
    products: ["slot", "live", "sportsbook"],
    default_language: "pt",
    wallet_configured: true,
    environment: "staging",
    sportsbook: {
      url: "https://sb.example",
      script_url: "https://sb.example/sb-renderer.min.js",
      integrity_url: "https://sb.example/sb-renderer.integrity.json",
    },
    server_time: rest.clock.time,
    capabilities: ["csv_dialects", "kinds", "round_ends", "settlements"],
  });
  t.false(reply.body.includes("secret"));
});

test("GET /v1/games returns the active games of enabled products page by page, each once and in order", async (t) => {
  const rest = await world(t);
  const details = { rtp: 96.5, images: { thumb: "https://i/x.png", square: null, background: null }, internal: "x" };
  await rest.store.save({
    kind: "games",
    provider: ACME,
    games: [gameRecord("rich", { name: "Rich", type: "live", details })],
  });
  await rest.settings.readForUnknown();
  const seen: string[] = [];
  for (let cursor = "", pages = 0; cursor !== "end"; pages += 1) {
    const data = dataOf(await rest.send({ target: `/v1/games?limit=3${cursor}` }));
    const items = data.items as { provider: string; code: string }[];
    t.is(data.total, 9);
    t.true(pages < 3 && items.length === 3);
    seen.push(...items.map((item) => `${item.provider}/${item.code}`));
    cursor = data.next_cursor === null ? "end" : `&cursor=${data.next_cursor}`;
  }
  t.deepEqual(seen, [
    "ACME/fruits",
    "ACME/rich",
    "ACME/serious",
    "ACME/twice",
    "BARE/bare",
    "BROKEN/broken",
    "OTHER/twice",
    "SPARE/spare",
    "SPORTSBOOK/sportsbook",
  ]);

  const live = dataOf(await rest.send({ target: "/v1/games", merchant: "live-only" }));
  const [item] = live.items as Record<string, unknown>[];
  const nothing = {
    tags: null,
    volatility: null,
    free_rounds: null,
    jackpot: null,
    platforms: null,
    languages: null,
    blocked_countries: null,
    released_at: null,
  };
  t.deepEqual(live, { items: [item], next_cursor: null, total: 1 });
  t.deepEqual(item, {
    code: "rich",
    provider: "ACME",
    name: "Rich",
    type: "live",
    demo_available: true,
    active: true,
    ...nothing,
    rtp: 96.5,
    images: { thumb: "https://i/x.png", square: null, background: null },
    updated_at: "2026-01-01T00:00:00.000Z",
  });
});
