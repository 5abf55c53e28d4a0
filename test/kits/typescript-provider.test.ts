import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { keyRecord, providerRecord } from "../../testbed/directory/records.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import { buildFolder, ROOT, run, start } from "../../testbed/programs/toolchain.ts";
import { startWorld } from "../../testbed/stage/world.ts";
import { packNode } from "./support/node-package.ts";
import { checkReadme } from "./support/readme-code.ts";

const NAME = "typescript-provider";
let app = "";

test.serial.before(async (t) => {
  t.timeout(300_000);
  app = await packNode(join(ROOT, "kits", NAME), await buildFolder(NAME));
});

/** Starts a service, and the example of the installed package as the service's provider ACME. */
async function startProvider(t: ExecutionContext, { isKeyRight = true } = {}) {
  const world = await startWorld(t);
  const port = await freePort();
  const example = start({
    // The package needs Node 22, and the machine's own Node may be older.
    program: process.execPath,
    args: [join(app, "node_modules/game-aggregator-provider/example/provider.mjs")],
    env: {
      ADDRESS: `http://127.0.0.1:${world.first.ports.grpc}`,
      API_KEY: isKeyRight ? world.apiKey : "no key of this provider",
      PORT: String(port),
    },
  });
  t.teardown(() => example.end("SIGKILL"));
  const lines = async (count: number): Promise<string[]> => {
    for (let tries = 0; tries < 300; tries++) {
      const printed = example
        .output()
        .split("\n")
        .filter((line) => line !== "");
      if (printed.length >= count) return printed;
      await sleep(100);
    }
    throw new Error(`the example did not print ${count} lines:\n${example.log()}`);
  };
  await lines(1);
  const record = {
    ...providerRecord("ACME", [`http://127.0.0.1:${port}`]),
    name: "Acme",
    keys: [keyRecord(world.apiKey)],
  };
  await world.settings.save({ kind: "provider", provider: record });
  /** Launches the game until the example opens it, and returns the example's report of its round. */
  const play = async (): Promise<Record<string, unknown>> => {
    const before = (await lines(1)).length;
    for (let tries = 0; tries < 50; tries++) {
      const reply = await world.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits", lang: "es" });
      if (!reply.ok) throw new Error(reply.code);
      const { launch_url } = reply.data as { launch_url: string };
      if (launch_url === "https://games.example/fruits?lang=es") break;
      // The test world's own game server opened the game, because the service has not read the provider's new record
      // yet.
      await sleep(100);
    }
    return JSON.parse((await lines(before + 1)).at(-1) ?? "") as Record<string, unknown>;
  };
  return { world, play };
}

test.serial("the installed package opens a game, and plays a round with a real bet and win over gRPC", async (t) => {
  const { world, play } = await startProvider(t);
  const played = await play();
  const bet = String(played.bet);
  t.deepEqual(played, { game: "fruits", before: "10000", bet, isWinPaid: true, after: "10750" });
  t.is(world.balance(), 10_750n);
  const { data } = (await world.rest("GET", `/v1/transactions/${encodeURIComponent(bet)}`)) as { data: object };
  t.like(data, { tx_id: bet, action: "bet", amount: 2.5, status: "success", player_id: "ana" });
});

test.serial("the installed package distinguishes a wallet's rejection from a refusal of the service", async (t) => {
  const poor = await startProvider(t);
  poor.world.wallet.ledger.deposit("shop-brl", "ana", -9_999n);
  t.deepEqual(await poor.play(), { game: "fruits", rejected: "INSUFFICIENT_FUNDS" });
  const stranger = await startProvider(t, { isKeyRight: false });
  t.deepEqual(await stranger.play(), { refused: "INVALID_API_KEY" });
});

test.serial("a call names the package and its version, and takes no proxy from the environment", async (t) => {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer().on("stream", (stream: ServerHttp2Stream, headers) => {
    heard.push(headers);
    stream.respond(
      { ":status": 200, "content-type": "application/grpc+proto", "grpc-status": "12" },
      { endStream: true },
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const script = `
    import { Aggregator } from "game-aggregator-provider";
    const aggregator = new Aggregator({ address: "http://127.0.0.1:${port}", apiKey: "key" });
    await aggregator.wallet.getBalance({ sessionId: "s" }).catch(() => process.exit());`;
  const proxy = "http://127.0.0.1:9";
  const env = { http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy, all_proxy: proxy, NODE_USE_ENV_PROXY: "1" };
  await run({ program: process.execPath, args: ["--input-type=module", "-e", script], cwd: app, env });
  server.close();
  t.is(heard.length, 1);
  t.regex(String(heard[0]?.["user-agent"]), /^game-aggregator-typescript-provider\/\d+\.\d+\.\d+$/);
});

test.serial("the code of the README fits the types of the installed package", async (t) => {
  const readers = `
    import type { Aggregator } from "game-aggregator-provider";
    declare global {
      const aggregator: Aggregator;
      const sessionId: string;
      const sessions: Map<string, string>;
    }`;
  t.is(await checkReadme(join(ROOT, "kits", NAME), app, readers), 3);
});
