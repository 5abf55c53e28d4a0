import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { type Received, startFakeServer } from "../../sandbox/upstreams/wire/fake-server.ts";
import { hubWire } from "../../sandbox/upstreams/wire/hub88.ts";
import { readGame } from "../../src/domain/catalog/game.ts";
import { pragmaticHash } from "../../testbed/connectors/pragmatic.ts";
import { slotegratorSign } from "../../testbed/connectors/slotegrator.ts";

/** Starts an upstream that answers each call with `answer`, and returns what pulls its list into a file. */
async function upstream(
  t: ExecutionContext,
  api: string,
  variables: (url: string) => Readonly<Record<string, string>>,
  answer: (call: Received) => unknown,
) {
  const folder = mkdtempSync(join(tmpdir(), "games-"));
  const fake = await startFakeServer((call) => JSON.stringify(answer(call)));
  t.teardown(() => {
    fake.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (...more: readonly string[]) => {
    const file = join(folder, "games.json");
    const args = ["connectors/main.ts", api, "games", "--file", file, ...more];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: variables(fake.url) });
    return { stdout, games: JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[] };
  };
}

const LUCKY = {
  game_code: "clt_lucky",
  name: "Lucky",
  product: "Caleta",
  category: "Video Slots",
  enabled: true,
  freebet_support: true,
  phoenix_jackpot_support: null,
  platforms: ["GPL_DESKTOP", "GPL_MOBILE"],
  url_thumb: "https://cdn.example/thumb.png",
  url_background: "https://cdn.example/background.png",
  blocked_countries: ["us", "FR"],
  rtp: "96.10",
  volatility: 4,
  languages: ["en", "pt"],
  release_date: "2024-05-01",
};

test("the games of Hub88 become the file of an import, with the differences from the last file", async (t) => {
  let list: object[] = [];
  const { variables, read } = hubWire("hub88");
  const pull = await upstream(t, "hub88", variables, (call) =>
    read(call) === undefined ? { error: "signature" } : list,
  );

  list = [
    LUCKY,
    { ...LUCKY, game_code: "evo_roulette", name: "Roulette", category: "Live Dealer", rtp: null, languages: ["??"] },
  ];
  const first = await pull();
  t.regex(first.stdout, /^evo_roulette: languages is left out/m);
  t.regex(first.stdout, /^2 new$/m);
  t.deepEqual(first.games[0], {
    provider: "HUB88",
    code: "clt_lucky",
    name: "Lucky",
    type: "slot",
    demo_available: false,
    active: true,
    images: { thumb: "https://cdn.example/thumb.png", background: "https://cdn.example/background.png" },
    tags: ["Caleta", "Video Slots"],
    rtp: 96.1,
    volatility: "high",
    free_rounds: true,
    platforms: ["desktop", "mobile"],
    languages: ["en", "pt"],
    blocked_countries: ["US", "FR"],
    released_at: "2024-05-01",
  });
  t.like(first.games[1], { type: "live" });
  for (const game of first.games) t.true("game" in readGame(game));

  list = [
    { ...LUCKY, enabled: false },
    { ...LUCKY, game_code: "clt_other" },
    { ...LUCKY, game_code: "" },
  ];
  const second = await pull();
  t.regex(
    second.stdout,
    /^1 new\n {2}clt_other\n1 changed\n {2}clt_lucky\n1 no longer in the list\n {2}evo_roulette$/m,
  );
  t.regex(second.stdout, /is left out: code/);
  t.is(second.games.length, 2);
});

test("the pages of Slotegrator's list become one file, each call signed over its query", async (t) => {
  const game = {
    uuid: "u1",
    name: "Fruits",
    image: "https://cdn.example/u1.png",
    type: "slots",
    provider: "Studio",
    technology: "html5",
    is_mobile: 0,
    has_freespins: 1,
    tags: [{ code: "classic", label: "Classic" }],
    parameters: { rtp: 96.5, volatility: "High", reels_count: "5" },
    images: [{ type: "background", url: "https://cdn.example/u1-large.png" }],
  };
  const pages: object[][] = [
    [game],
    [{ uuid: "u2", name: "Wheel", type: "live dealer", provider: "Studio", is_mobile: 1 }],
  ];
  const variables = (url: string) => ({
    SLOTEGRATOR_URL: url,
    SLOTEGRATOR_MERCHANT_ID: "m1",
    SLOTEGRATOR_MERCHANT_KEY: "testKey",
  });
  const pull = await upstream(t, "slotegrator", variables, ({ path, headers }) => {
    const { pathname, searchParams } = new URL(path, "http://upstream");
    const given = Object.fromEntries(
      ["X-Merchant-Id", "X-Timestamp", "X-Nonce"].map((name) => [name, String(headers[name.toLowerCase()])]),
    );
    const isRight = slotegratorSign(Object.fromEntries(searchParams), given) === headers["x-sign"];
    if (pathname !== "/games" || !isRight) return { name: "Forbidden", status: 403 };
    return { items: pages[Number(searchParams.get("page")) - 1], _meta: { pageCount: pages.length } };
  });
  const { games, stdout } = await pull("--demo");
  t.regex(stdout, /^2 new$/m);
  t.deepEqual(games, [
    {
      provider: "SLOTEGRATOR",
      code: "u1",
      name: "Fruits",
      type: "slot",
      demo_available: true,
      images: { thumb: "https://cdn.example/u1.png", background: "https://cdn.example/u1-large.png" },
      tags: ["Studio", "slots", "Classic"],
      rtp: 96.5,
      volatility: "high",
      free_rounds: true,
      platforms: ["desktop"],
    },
    {
      provider: "SLOTEGRATOR",
      code: "u2",
      name: "Wheel",
      type: "live",
      demo_available: true,
      images: {},
      tags: ["Studio", "live dealer"],
      platforms: ["mobile"],
    },
  ]);
  for (const listed of games) t.true("game" in readGame(listed));
});

test("Pragmatic's list of games becomes the file of an import, and an error of Pragmatic is told", async (t) => {
  let error = "0";
  const variables = (url: string) => ({
    PRAGMATIC_URL: url,
    PRAGMATIC_SECURE_LOGIN: "casino_casino",
    PRAGMATIC_SECRET: "testKey",
  });
  const pull = await upstream(t, "pragmatic", variables, ({ path, body }) => {
    const { hash, ...fields } = Object.fromEntries(new URLSearchParams(body));
    if (path !== "/IntegrationService/v3/http/CasinoGameAPI/getCasinoGames/") return { error: "7" };
    if (hash !== pragmaticHash(fields) || fields.secureLogin !== "casino_casino") return { error: "2" };
    const slot = { gameID: "vs1", gameName: "Gates", typeDescription: "Video Slots", dataType: "RNG" };
    const list = [
      { ...slot, platform: "MOBILE,DOWNLOAD,WEB", demoGameAvailable: true, frbAvailable: true },
      { gameID: "204", gameName: "Wheel", typeDescription: "Roulette", dataType: "LC", platform: "MOBILE,WEB" },
    ];
    return { error, description: "OK", gameList: list };
  });
  const { games } = await pull("--provider", "PP");
  t.deepEqual(games, [
    {
      provider: "PP",
      code: "vs1",
      name: "Gates",
      type: "slot",
      demo_available: true,
      tags: ["Video Slots"],
      free_rounds: true,
      platforms: ["mobile", "desktop"],
    },
    {
      provider: "PP",
      code: "204",
      name: "Wheel",
      type: "live",
      demo_available: false,
      tags: ["Roulette"],
      platforms: ["mobile", "desktop"],
    },
  ]);
  for (const listed of games) t.true("game" in readGame(listed));
  error = "1";
  await t.throwsAsync(pull(), { message: /the provider's answer has the error 1/ });
});
