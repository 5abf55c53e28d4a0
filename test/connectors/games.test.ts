import { execFile } from "node:child_process";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { readGame } from "../../src/domain/catalog/game.ts";

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
  const folder = mkdtempSync(join(tmpdir(), "games-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  let list: object[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const signature = Buffer.from(String(request.headers["x-hub88-signature"]), "base64");
      const isOurs = verify("sha256", Buffer.concat(pieces), publicKey, signature);
      response.writeHead(isOurs ? 200 : 401).end(JSON.stringify(list));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => void server.close());
  const pull = async () => {
    const file = join(folder, "games.json");
    const env = {
      HUB88_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      HUB88_OPERATOR_ID: "7",
      HUB88_PUBLIC_KEY: publicKey.export({ type: "spki", format: "pem" }).toString(),
      HUB88_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
    const args = ["connectors/main.ts", "hub88", "games", "--file", file];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return { stdout, games: JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[] };
  };

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
