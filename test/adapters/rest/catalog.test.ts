import test from "ava";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { Game } from "../../../src/ports/settings-store.ts";
import { dataOf, errorOf, NOW, type RestUnderTest, startRest } from "../../../testbed/callers/rest-server.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";

type Item = Readonly<Record<string, unknown>> & { readonly provider: string; readonly code: string };

const HOUR_MS = 3_600_000;
const [ACME, AURORA, GONE] = ["ACME", "AURORA", "GONE"] as ProviderCode[];

/**
 * Games of two active providers and of one inactive provider, stored an hour ago. One merchant has all products,
 * another has one product.
 */
async function world(t: Parameters<typeof startRest>[0]) {
  const rest = await startRest(t);
  rest.clock.time = NOW - HOUR_MS;
  const games = (provider: ProviderCode | undefined, ...records: ReturnType<typeof gameRecord>[]) =>
    rest.store.save({ kind: "games", provider: provider as ProviderCode, games: records });
  for (const [code, active] of [
    ["ACME", true],
    ["AURORA", true],
    ["GONE", false],
  ] as const)
    await rest.store.save({ kind: "provider", provider: providerRecord(code, ["http://opens"], active) });
  await games(
    ACME,
    gameRecord("cafe", {
      name: "Café Royal",
      details: { names: { "pt-BR": "Café Real", es: "Café Regio", en: "Royal Coffee" } },
    }),
    gameRecord("fruits", { name: "FRUITS", demoAvailable: false }),
    gameRecord("off", { name: "Off", active: false }),
    gameRecord("a/b c", { name: "Ação Straße" }),
  );
  await games(
    AURORA,
    gameRecord("live-1", { name: "Roulette", type: "live" }),
    gameRecord("fruits", { name: "Fruits Two" }),
  );
  await games(GONE, gameRecord("lost", { name: "Lost" }));
  await rest.store.save({ kind: "merchant", merchant: merchantRecord("live-only", { products: ["live"] }) });
  rest.clock.time = NOW;
  await rest.settings.refresh();
  return rest;
}

const list = async (rest: RestUnderTest, query: string, merchant = "casa-br") => {
  const data = dataOf(await rest.send({ target: `/v1/games${query}`, merchant }));
  const items = data.items as readonly Item[];
  return {
    items,
    codes: items.map(({ provider, code }) => `${provider}/${code}`).join(" "),
    total: data.total,
    next: data.next_cursor as string | null,
  };
};

test("each filter of GET /v1/games selects games, and with several filters a game must match all of them", async (t) => {
  const rest = await world(t);
  const all = "ACME/a/b c ACME/cafe ACME/fruits AURORA/fruits AURORA/live-1 SPORTSBOOK/sportsbook";
  for (const [query, codes] of [
    ["", all],
    ["?active=true", all],
    ["?active=false", "ACME/off GONE/lost"],
    [
      "?active=all",
      all.replace("fruits AURORA", "fruits ACME/off AURORA").replace("SPORTSBOOK", "GONE/lost SPORTSBOOK"),
    ],
    ["?type=live", "AURORA/live-1"],
    ["?type=sportsbook", "SPORTSBOOK/sportsbook"],
    ["?provider=AURORA", "AURORA/fruits AURORA/live-1"],
    ["?provider=NOBODY", ""],
    ["?demo_available=false", "ACME/fruits SPORTSBOOK/sportsbook"],
    ["?demo_available=true&type=slot&provider=ACME", "ACME/a/b c ACME/cafe"],
    ["?q=fruits&provider=AURORA&active=all", "AURORA/fruits"],
    ["?updated_since=2025-12-31T23:00:00.000Z&active=all&type=live", "AURORA/live-1"],
    ["?updated_since=2026-01-01T00:00:00.001Z", ""],
  ] as const) {
    const found = await list(rest, query);
    t.is(found.codes, codes, query);
    t.is(found.total, found.items.length, query);
  }
  t.is((await list(rest, "", "live-only")).codes, "AURORA/live-1");
  t.is((await list(rest, "?type=slot&active=all", "live-only")).codes, "");
});

test("q finds a part of the code or of a name in any language; case and accents do not matter", async (t) => {
  const rest = await world(t);
  for (const [q, codes] of [
    ["cafe", "ACME/cafe"],
    ["CAF%C3%89", "ACME/cafe"],
    ["cafe%CC%81", "ACME/cafe"],
    ["r%C3%B3yal+c", "ACME/cafe"],
    ["Regio", "ACME/cafe"],
    ["acao", "ACME/a/b c"],
    ["STRASSE", "ACME/a/b c"],
    ["stra%C3%9Fe", "ACME/a/b c"],
    ["two", "AURORA/fruits"],
    ["fRuItS", "ACME/fruits AURORA/fruits"],
    ["live-1", "AURORA/live-1"],
    ["royal%25", ""],
    ["fruitscafe", ""],
  ] as const)
    t.is((await list(rest, `?q=${q}`)).codes, codes, q);
});

test("lang selects the name for the exact tag, else for the language, else for one of its regions, else the game's own name", async (t) => {
  const rest = await world(t);
  const nameIn = async (query: string) => (await list(rest, `?provider=ACME&q=cafe${query}`)).items[0]?.name;
  t.is(await nameIn(""), "Café Royal");
  t.is(await nameIn("&lang=en"), "Royal Coffee");
  t.is(await nameIn("&lang=EN-us"), "Royal Coffee");
  t.is(await nameIn("&lang=pt-br"), "Café Real");
  t.is(await nameIn("&lang=pt"), "Café Real");
  t.is(await nameIn("&lang=es-MX"), "Café Regio");
  t.is((await list(rest, "?provider=ACME&q=fruits&lang=en")).items[0]?.name, "FRUITS");
  const game = dataOf(await rest.send({ target: "/v1/games/ACME/cafe?lang=es" }));
  t.is(game.name, "Café Regio");
  t.deepEqual(game.names, { "pt-BR": "Café Real", es: "Café Regio", en: "Royal Coffee" });
  t.false("names" in dataOf(await rest.send({ target: "/v1/games/ACME/fruits" })));
});

test("a request with a cursor may only repeat the parameters of the listing", async (t) => {
  const rest = await world(t);
  const first = await list(rest, "?active=all&type=slot&limit=2");
  t.deepEqual([first.codes, first.total], ["ACME/a/b c ACME/cafe", 6]);
  const second = await list(rest, `?cursor=${first.next}`);
  t.deepEqual([second.codes, second.total, second.next], ["ACME/fruits ACME/off AURORA/fruits GONE/lost", 6, null]);
  t.is((await list(rest, `?cursor=${first.next}&limit=1&active=all&type=slot`)).codes, "ACME/fruits");

  const standard = await list(rest, "?limit=1&updated_since=2025-12-31T00:00:00Z");
  t.is(
    (await list(rest, `?limit=1&active=true&updated_since=2025-12-31T01:00:00.000%2B01:00&cursor=${standard.next}`))
      .codes,
    "ACME/cafe",
  );
  const changed = await rest.send({
    target: `/v1/games?cursor=${standard.next}&active=all&q=x&limit=7&updated_since=2025-12-31T00:00:00Z`,
  });
  t.is(changed.status, 422);
  t.deepEqual(
    (errorOf(changed).details as { field: string }[]).map(({ field }) => field),
    ["active", "q"],
  );
});

test("a cursor that is damaged, invented or of another listing gets 422", async (t) => {
  const rest = await world(t);
  const { next } = await list(rest, "?limit=1");
  const cursor = next ?? "";
  const providers = dataOf(await rest.send({ target: "/v1/providers?limit=1" })).next_cursor as string;
  const madeUp = Buffer.from('["/v1/games",{},"ACME","cafe"]').toString("base64url");
  const damaged = [...cursor].map(
    (char, i) => `${cursor.slice(0, i)}${char === "A" ? "B" : "A"}${cursor.slice(i + 1)}`,
  );
  for (const bad of [
    providers,
    madeUp,
    cursor.slice(1),
    `${cursor}=`,
    `${cursor}A`,
    ...damaged.filter((_, i) => i % 7 === 0),
  ]) {
    const reply = await rest.send({ target: `/v1/games?cursor=${encodeURIComponent(bad)}` });
    t.deepEqual([reply.status, errorOf(reply).code], [422, "VALIDATION_ERROR"], bad);
  }
  t.is((await rest.send({ target: `/v1/providers?cursor=${cursor}` })).status, 422);
});

test("reading all pages gives every game that exists all the time once, although games are added and removed meanwhile", async (t) => {
  const rest = await world(t);
  await rest.store.save({
    kind: "games",
    provider: ACME as ProviderCode,
    games: Array.from({ length: 30 }, (_, n) => gameRecord(`w-${10 + n}`)),
  });
  await rest.settings.refresh();
  const seen: string[] = [];
  for (let page = await list(rest, "?provider=ACME&q=w-&limit=4"), n = 0; ; n++) {
    seen.push(...page.items.map(({ code }) => code));
    if (page.next === null) break;
    // Changes games after the current page and before it, and adds new games.
    await rest.store.save({
      kind: "games",
      provider: ACME as ProviderCode,
      games: [gameRecord(`w-0${n}`), gameRecord(`w-${11 + n}`, { active: n % 2 === 0 }), gameRecord(`w-9${n}`)],
    });
    await rest.settings.refresh();
    page = await list(rest, `?limit=4&cursor=${page.next}`);
  }
  const stay = Array.from({ length: 30 }, (_, n) => `w-${10 + n}`).slice(12);
  t.deepEqual(
    seen.filter((code) => stay.includes(code)),
    stay,
  );
  t.is(new Set(seen).size, seen.length);
});

test("a single game is shown, even if it is inactive; a game of another product and an unknown game get 404", async (t) => {
  const rest = await world(t);
  const shown = async (target: string, merchant = "casa-br") => dataOf(await rest.send({ target, merchant }));
  t.like(await shown("/v1/games/ACME/off"), { code: "off", provider: "ACME", active: false });
  t.like(await shown("/v1/games/GONE/lost"), { active: false });
  t.like(await shown("/v1/games/ACME/a%2Fb%20c"), {
    code: "a/b c",
    name: "Ação Straße",
    updated_at: "2025-12-31T23:00:00.000Z",
  });
  t.deepEqual(await shown("/v1/games/AURORA/live-1", "live-only"), (await list(rest, "?type=live")).items[0]);
  for (const [target, merchant] of [
    ["/v1/games/ACME/nothing", "casa-br"],
    ["/v1/games/NOBODY/cafe", "casa-br"],
    ["/v1/games/acme/cafe", "casa-br"],
    ["/v1/games/ACME/cafe", "live-only"],
  ] as const) {
    const reply = await rest.send({ target, merchant });
    t.deepEqual([reply.status, errorOf(reply).code], [404, "GAME_NOT_FOUND"], target);
  }
  t.is((await rest.send({ target: "/v1/games/ACME/cafe?x=1" })).status, 422);
});

test("all providers, also inactive ones, are listed by code with the number of their active games of the merchant's products", async (t) => {
  const rest = await world(t);
  const providers = async (query = "", merchant = "casa-br") =>
    dataOf(await rest.send({ target: `/v1/providers${query}`, merchant }));
  const all = [
    { code: "ACME", name: "ACME", active: true, games: 3 },
    { code: "AURORA", name: "AURORA", active: true, games: 2 },
    { code: "GONE", name: "GONE", active: false, games: 0 },
    { code: "SPORTSBOOK", name: "Sportsbook", active: true, games: 1 },
  ];
  t.deepEqual(await providers(), { items: all, next_cursor: null, total: 4 });
  t.deepEqual(
    ((await providers("", "live-only")).items as typeof all).map(({ games }) => games),
    [0, 1, 0, 0],
  );
  const first = await providers("?limit=3");
  t.deepEqual([first.items, first.total], [all.slice(0, 3), 4]);
  t.deepEqual(await providers(`?limit=3&cursor=${first.next_cursor}`), {
    items: all.slice(3),
    next_cursor: null,
    total: 4,
  });
});

test("a caller that already has the current answer gets 304 until the answer changes", async (t) => {
  const rest = await world(t);
  for (const target of ["/v1/games", "/v1/games?limit=2&lang=pt", "/v1/games/ACME/cafe", "/v1/providers"]) {
    const { headers } = await rest.send({ target });
    const etag = headers.etag ?? "";
    t.regex(etag, /^"[\w-]{22}"$/);
    t.is(headers["cache-control"], "private, no-cache");
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const reply = await rest.send({ target, headers: { "If-None-Match": tag } });
      t.deepEqual([reply.status, reply.body, reply.headers.etag], [304, "", etag], `${target} ${tag}`);
      t.true("x-request-id" in reply.headers && !("content-type" in reply.headers));
    }
    for (const tag of ['"other"', etag.slice(0, -1), ""])
      t.is((await rest.send({ target, headers: { "If-None-Match": tag } })).status, 200, tag);
  }
  t.not(
    (await rest.send({ target: "/v1/games" })).headers.etag,
    (await rest.send({ target: "/v1/games", merchant: "live-only" })).headers.etag,
  );

  const game = (more: Partial<Game>) =>
    rest.store.save({
      kind: "games",
      provider: ACME as ProviderCode,
      games: [gameRecord("fruits", { name: "FRUITS", ...more })],
    });
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "a name": () => game({ name: "Fruits" }),
    "a detail": () => game({ name: "Fruits", details: { rtp: 96 } }),
    "a new game": () =>
      rest.store.save({ kind: "games", provider: AURORA as ProviderCode, games: [gameRecord("zebra")] }),
    "a game that goes": () => game({ active: false }),
    "a provider that goes": () => rest.store.save({ kind: "provider", provider: providerRecord("AURORA", [], false) }),
    "the merchant's products": () =>
      rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-br", { products: ["slot"] }) }),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = (await rest.send({ target: "/v1/games" })).headers.etag ?? "";
    await change();
    await rest.settings.refresh();
    t.is((await rest.send({ target: "/v1/games", headers: { "If-None-Match": before } })).status, 200, what);
  }
});

test("a page's ETag also changes when only the total changes", async (t) => {
  const rest = await world(t);
  const target = "/v1/games?limit=1";
  const before = (await rest.send({ target })).headers.etag ?? "";
  await rest.store.save({ kind: "games", provider: AURORA as ProviderCode, games: [gameRecord("zebra")] });
  await rest.settings.refresh();
  t.is((await rest.send({ target, headers: { "If-None-Match": before } })).status, 200);
});

test("updated_since also lists the games of a provider that became active or inactive", async (t) => {
  const rest = await world(t);
  const since = "?provider=AURORA&active=all&updated_since=2026-01-01T00:00:00Z";
  t.is((await list(rest, since)).codes, "");
  await rest.store.save({ kind: "provider", provider: { ...providerRecord("AURORA", []), name: "Aurora Games" } });
  await rest.settings.refresh();
  t.is((await list(rest, since)).codes, "", "the provider's name is not a part of a game's record");
  await rest.store.save({ kind: "provider", provider: providerRecord("AURORA", [], false) });
  await rest.settings.refresh();
  const gone = await list(rest, since);
  t.is(gone.codes, "AURORA/fruits AURORA/live-1");
  t.true(gone.items.every(({ active, updated_at }) => active === false && updated_at === "2026-01-01T00:00:00.000Z"));
});
