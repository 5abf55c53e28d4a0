import { readFileSync } from "node:fs";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Game } from "../../src/gen/aggregator/admin/v1/game_pb.ts";
import { type Admin, adminOf, inPieces, refusalOf, startReplica } from "../../testbed/callers/administration.ts";
import { onBothDatabases } from "./databases.ts";

const test = onBothDatabases();

const SANDBOX = readFileSync("sandbox/provider/games.json", "utf8");

async function withProviders(admin: Admin): Promise<Admin["catalog"]> {
  for (const code of ["ACME", "AURORA", "PALCO"]) await admin.providers.createProvider({ code });
  return admin.catalog;
}

const importText = (catalog: Admin["catalog"], text: string, format = "json", more = {}, size?: number) =>
  catalog.importGames(inPieces(text, format, more, size));
const counts = ({ created, updated, unchanged, faultCount }: Awaited<ReturnType<typeof importText>>) => [
  created,
  updated,
  unchanged,
  faultCount,
];
const names = (games: readonly Game[]) => games.map(({ provider, code }) => `${provider}/${code}`);

test("a JSON file is imported completely, and a second import changes nothing", async (t, url) => {
  const admin = adminOf(await startReplica(t, url));
  const catalog = await withProviders(admin);
  const rows: { provider: string; code: string }[] = JSON.parse(SANDBOX);
  t.deepEqual(counts(await importText(catalog, SANDBOX, "json", { dryRun: true })), [rows.length, 0, 0, 0]);
  t.is((await catalog.listGames({})).total, 1, "only the sportsbook");
  // The file is cut into pieces of a few bytes, even in the middle of characters.
  t.deepEqual(
    counts(await importText(catalog, SANDBOX.replace("Solar Crown", "Solar Crówn €"), "json", { reason: "new" }, 997)),
    [rows.length, 0, 0, 0],
  );
  t.deepEqual(counts(await importText(catalog, SANDBOX.replace("Solar Crown", "Solar Crówn €"))), [
    0,
    0,
    rows.length,
    0,
  ]);
  t.deepEqual(counts(await importText(catalog, `\ufeff${SANDBOX}`)), [0, 1, rows.length - 1, 0]);

  const { game } = await catalog.getGame({ code: "solar-crown" });
  t.like(game, {
    provider: "AURORA",
    name: "Solar Crown",
    type: "slot",
    demoAvailable: true,
    active: true,
    rtp: 96.2,
    volatility: "medium",
    freeRounds: false,
    images: { thumb: "http://localhost:3001/art/cover/solar-crown/thumb.svg" },
    tags: { values: ["new", "featured"] },
    blockedCountries: { values: [] },
  });
  t.is(game?.releasedAt && timestampDate(game.releasedAt).toISOString(), "2025-01-12T00:00:00.000Z");

  const entries = (await admin.audit.listAuditEntries({ action: "game import" })).entries;
  t.deepEqual(
    entries.map(({ target, reason }) => [target, reason]),
    [
      ["games", ""],
      ["game AURORA/solar-crown", ""],
      ["games", "new"],
    ],
  );
  t.deepEqual(
    entries[1]?.changes.map(({ field, from, to }) => [field, from, to]),
    [["name", '"Solar Crówn €"', '"Solar Crown"']],
  );
});

test("a CSV file is imported by the column names in its header", async (t, url) => {
  const catalog = await withProviders(adminOf(await startReplica(t, url)));
  const csv = [
    "provider,code,name,type,demo_available,tags,rtp,images.thumb,blocked_countries,released_at,free_rounds,active,names.pt,names.pt-BR",
    'ACME,fruits,"Fruits, ""ripe""',
    "",
  ].join("\r\n");
  t.deepEqual(counts(await importText(catalog, csv, "csv")), [0, 0, 0, 1]);
  const rows = [
    'ACME,fruits,"Fruits, ""ripe""\r\n and sweet",slot,true,new|featured,96.5,https://cdn.example/f.png,US|FR,2025-01-12,false,,,Frutas maduras',
    "AURORA,fruits,Fruits 2,live,,,,,,2025-01-12T10:00:00+02:00,,false,,",
  ];
  const header = csv.slice(0, csv.indexOf("\r\n"));
  t.is(await refusalOf(importText(catalog, "", "xml")), "VALIDATION_ERROR format");
  const done = await importText(
    catalog,
    [header, rows[0]?.replaceAll("\r\n and sweet", ""), rows[1]].join("\r\n"),
    "csv",
    {},
    7,
  );
  t.deepEqual([counts(done), done.faults], [[2, 0, 0, 0], []]);
  t.like((await catalog.getGame({ provider: "ACME", code: "fruits" })).game, {
    name: 'Fruits, "ripe"',
    demoAvailable: true,
    active: true,
    rtp: 96.5,
    freeRounds: false,
    jackpot: undefined,
    platforms: undefined,
    names: { values: { "pt-BR": "Frutas maduras" } },
    tags: { values: ["new", "featured"] },
    images: { thumb: "https://cdn.example/f.png", square: "" },
    blockedCountries: { values: ["US", "FR"] },
  });
  t.like((await catalog.getGame({ provider: "AURORA", code: "fruits" })).game, {
    type: "live",
    active: false,
    demoAvailable: false,
    tags: undefined,
    names: undefined,
  });
  t.is(await refusalOf(catalog.getGame({ code: "fruits" })), "AMBIGUOUS_GAME provider");
});

test("every wrong line is reported with its number and the rule, and no part of the file is imported", async (t, url) => {
  const catalog = await withProviders(adminOf(await startReplica(t, url)));
  const file = `[
    {"provider": "ACME", "code": "good", "name": "Good", "type": "slot"},
    {"provider": "acme", "code": "", "name": "Bad", "type": "poker", "demo_available": "yes", "colour": "red"},
    {"provider": "NOBODY", "code": "b", "name": "B",
     "type": "slot"},
    7,
    {"provider": "ACME", "code": "good", "name": "Twice", "type": "slot"},
    {"provider": "ACME", "code": "d", "name": "D", "type": "slot", "rtp": "96", "tags": ["a", "a"], "images": {"thumb": "javascript:1"},
     "blocked_countries": ["XX"], "languages": "pt", "released_at": "yesterday", "platforms": [1], "names": {"pt": "P", "PT": "P"}},
    {"provider": "SPORTSBOOK", "code": "other", "name": "Other", "type": "slot"},
    {"provider": "ACME", "code": "e" "name": "E"}
  ]`;
  const { faults, ...done } = await importText(catalog, file);
  t.deepEqual(
    [2, 3, 4, 6, 7, 8, 10, 11].map((line) => [
      line,
      ...faults.filter((fault) => fault.line === line).map(({ field }) => field),
    ]),
    [
      [2],
      [3, "colour", "provider", "code", "type", "demo_available"],
      [4, "provider"],
      [6, ""],
      [7, "code"],
      [8, "images", "tags", "rtp", "platforms", "languages", "blocked_countries", "released_at", "names"],
      [10, "code", "type"],
      [11, ""],
    ],
  );
  t.deepEqual(counts({ faults, ...done }), [0, 0, 0, faults.length]);
  t.true(faults.every(({ reason }) => reason !== ""));
  t.is((await catalog.listGames({})).total, 1);

  for (const [text, format, line] of [
    ["{}", "json", 1],
    ["[{}\n,\n", "json", 3],
    ["[1,\n,2]", "json", 2],
    ["[]\n[]", "json", 2],
    ["", "csv", 1],
    ["code,colour\n", "csv", 1],
    ['code\n"open', "csv", 2],
    ['code\na"b', "csv", 2],
  ] as const) {
    const refused = await importText(catalog, text, format);
    t.is(refused.faults.at(-1)?.line, line, text);
    t.is(refused.faults.at(-1)?.field, "");
  }
  const latin1 = await catalog.importGames(
    (async function* () {
      yield { format: "csv", chunk: Buffer.from("code\njo\u00e3o", "latin1") };
    })(),
  );
  t.deepEqual(
    latin1.faults.map(({ reason }) => reason),
    ["UTF-8"],
  );
  const many = await importText(
    catalog,
    JSON.stringify(Array.from({ length: 50_001 }, () => 0)).replaceAll(",", ",\n"),
  );
  t.deepEqual([many.faults.length, many.faultCount], [1_000, 50_001]);
});

test("a dry run shows the new, changed and missing games with their values, and only a dry run does", async (t, url) => {
  const catalog = await withProviders(adminOf(await startReplica(t, url)));
  const head = "provider,code,name,type,tags\n";
  const stored = await importText(catalog, `${head}ACME,a,A,slot,new\nACME,b,B,slot,\nAURORA,a,A,slot,\n`, "csv");
  t.is(stored.preview, undefined);
  const long = "x".repeat(255);
  const file = `${head}ACME,a,${long},slot,new|top\nACME,c,C,slot,\n`;
  const { preview } = await importText(catalog, file, "csv", { dryRun: true });
  const named = (games: readonly { provider: string; code: string; name: string }[] = []) =>
    games.map(({ provider, code, name }) => `${provider}/${code} ${name}`);
  t.deepEqual(named(preview?.created), ["ACME/c C"]);
  t.deepEqual(named(preview?.updated), [`ACME/a ${long}`]);
  t.deepEqual(
    preview?.updated[0]?.changes.map(({ field, from, to }) => [field, from, to]),
    [
      ["name", '"A"', `"${"x".repeat(199)}…`],
      ["tags", '["new"]', '["new","top"]'],
    ],
  );
  t.deepEqual(named(preview?.missing), ["ACME/b B"]);
  t.deepEqual([preview?.deactivated, preview?.missingCount], [0, 1]);
  t.deepEqual(names((await catalog.listGames({ provider: "ACME" })).games), ["ACME/a", "ACME/b"]);
  t.is((await importText(catalog, `${head}ACME,a,A,bingo,\n`, "csv", { dryRun: true })).preview, undefined);
});

test("the type of an existing game never changes", async (t, url) => {
  const catalog = await withProviders(adminOf(await startReplica(t, url)));
  const file = (type: string) =>
    `provider,code,name,type\nACME,new,New,${type}\nACME,fruits,Fruits,${type}\nAURORA,fruits,Fruits,${type}\n`;
  await importText(catalog, "provider,code,name,type\nACME,fruits,Fruits,slot\nAURORA,fruits,Fruits,live\n", "csv");
  for (const more of [{}, { dryRun: true }]) {
    const { faults, ...done } = await importText(catalog, file("live"), "csv", more);
    t.deepEqual(
      faults.map(({ line, field, reason }) => [line, field, reason]),
      [[3, "type", "slot, for the type of a game never changes"]],
    );
    t.deepEqual(counts({ faults, ...done }), [0, 0, 0, 1]);
  }
  const key = { provider: "ACME", code: "fruits" };
  t.is((await catalog.listGames({ provider: "ACME" })).total, 1, "nothing of the file was taken");
  t.is(await refusalOf(catalog.setGame({ ...key, type: "live", rtp: 96 })), "VALIDATION_ERROR type");
  t.like((await catalog.setGame({ ...key, type: "slot", rtp: 95 })).game, { type: "slot", rtp: 95 });
});

test("a game is changed field by field, and a cleared field becomes null again", async (t, url) => {
  const catalog = await withProviders(adminOf(await startReplica(t, url)));
  await importText(catalog, SANDBOX);
  const key = { provider: "AURORA", code: "solar-crown" };
  const before = (await catalog.getGame(key)).game;
  const { game } = await catalog.setGame({
    ...key,
    active: false,
    rtp: 95,
    tags: { values: [] },
    clear: ["volatility", "images"],
    reason: "recall",
  });
  t.like(game, {
    active: false,
    rtp: 95,
    tags: { values: [] },
    volatility: undefined,
    images: undefined,
    name: before?.name,
    jackpot: false,
  });
  t.is((await catalog.setGame({ ...key, active: true })).game?.active, true);
  t.is(
    await refusalOf(catalog.setGame({ ...key, rtp: -1, type: "sportsbook", clear: ["name"], volatility: "" })),
    "VALIDATION_ERROR type rtp volatility clear".replace("rtp volatility", "rtp volatility"),
  );
  t.is(await refusalOf(catalog.setGame({ provider: "AURORA", code: "nothing" })), "RECORD_NOT_FOUND code");
  t.is(
    await refusalOf(catalog.setGame({ provider: "SPORTSBOOK", code: "sportsbook", demoAvailable: true })),
    "VALIDATION_ERROR demo_available",
  );
  t.false((await catalog.setGame({ provider: "SPORTSBOOK", code: "sportsbook", active: false })).game?.active);

  const { games, total } = await catalog.listGames({ q: "CROWN" });
  t.deepEqual([names(games), total], [["AURORA/solar-crown"], 1]);
  t.deepEqual(names((await catalog.listGames({ type: "sportsbook" })).games), ["SPORTSBOOK/sportsbook"]);
  t.deepEqual(names((await catalog.listGames({ active: false })).games), ["SPORTSBOOK/sportsbook"]);
  const first = await catalog.listGames({ provider: "AURORA", limit: 2 });
  const next = await catalog.listGames({ provider: "AURORA", limit: 2, cursor: first.nextCursor });
  t.is(new Set(names([...first.games, ...next.games])).size, 4);
});
