import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import test, { type ExecutionContext } from "ava";
import { GrpcServer, type ServerTls } from "../../../src/adapters/grpc/server/grpc-server.ts";
import { dnsResolve, type Resolve } from "../../../src/adapters/names/host-addresses.ts";
import { GrpcGameLauncher } from "../../../src/adapters/provider-grpc/grpc-game-launcher.ts";
import { Device, GameService, type OpenGameRequest } from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { OpenFailed, type OpenFault, type OpenGame } from "../../../src/ports/sources/game-launcher.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { startNameServer } from "../../../testbed/programs/name-server.ts";
import { startSlowListener } from "../../../testbed/programs/slow-listener.ts";

const game: OpenGame = {
  sessionId: "id-of-session",
  playerRef: "ref-of-player",
  gameCode: "roulette",
  currency: "BRL",
  language: "pt-BR",
  country: "BR",
  demo: false,
  merchant: "shop-brl",
  brand: "shop",
  jurisdiction: "AR-B",
  lobbyUrl: "https://casino.example/lobby",
  playerIp: "2001:db8::7",
  device: "mobile",
  depositUrl: "https://casino.example/cashier",
  historyUrl: "https://casino.example/history",
  displayName: "Ana 😀",
};

const at = (address: string) => ({ address, deadlineMs: 5_000, enabled: true });

/** A provider's source that answers with `launchUrl` and records the requests. */
async function startSource(
  t: ExecutionContext,
  answer: (request: OpenGameRequest) => Promise<string> | string,
  more: { port?: number; tls?: ServerTls } = {},
) {
  const requests: OpenGameRequest[] = [];
  const openGame = async (request: OpenGameRequest) => {
    requests.push(request);
    return { launchUrl: await answer(request) };
  };
  const server = new GrpcServer((router) => void router.service(GameService, { openGame }), {
    host: "127.0.0.1",
    port: 0,
    isRightKey: () => true,
    ...more,
  });
  const port = await server.start();
  t.teardown(() => server.stop(0));
  return { requests, server, port, address: `http://127.0.0.1:${port}` };
}

function launcherFor(
  t: ExecutionContext,
  clock = new ManualClock(),
  allowPrivate = true,
  resolve?: Resolve,
): GrpcGameLauncher {
  const launcher = new GrpcGameLauncher(clock, { allowPrivate, ...(resolve !== undefined && { resolve }) });
  t.teardown(() => launcher.close());
  return launcher;
}

async function fails(t: ExecutionContext, opened: Promise<string>, fault: OpenFault, message: RegExp, of?: string) {
  const error = await t.throwsAsync(opened, { instanceOf: OpenFailed, message }, of);
  t.is(error?.fault, fault, of);
}

test("a game is opened with all values of the launch", async (t) => {
  const { address, requests } = await startSource(t, () => "https://games.acme.example/play?s=1");
  const launcher = launcherFor(t);
  t.is(await launcher.open(at(address), game, 5_000), "https://games.acme.example/play?s=1");
  const [{ $typeName: _, ...request } = {} as OpenGameRequest] = requests;
  t.deepEqual(request, { ...game, device: Device.MOBILE } as typeof request);
  const nothing = {
    lobbyUrl: null,
    playerIp: null,
    device: null,
    depositUrl: null,
    historyUrl: null,
    displayName: null,
    jurisdiction: null,
  };
  await launcher.open(at(address), { ...game, ...nothing, demo: true }, 5_000);
  const empty = {
    lobbyUrl: "",
    playerIp: "",
    device: Device.UNSPECIFIED,
    depositUrl: "",
    historyUrl: "",
    displayName: "",
    jurisdiction: "",
  };
  t.like(requests[1], { ...empty, demo: true });
  await launcher.open(at(address), { ...game, device: "desktop" }, 5_000);
  t.is(requests[2]?.device, Device.DESKTOP);
});

test("a source's error never shows the session, the player's reference, address or name", async (t) => {
  const { sessionId, playerRef, playerIp, displayName } = game;
  const told = [sessionId, playerRef, playerIp, displayName].join(" ");
  const { address } = await startSource(t, () => {
    throw new ConnectError(`no game for ${told} (${told})`, Code.Internal);
  });
  await fails(
    t,
    launcherFor(t).open(at(address), game, 5_000),
    "refused",
    /no game for \*{3} \*{3} \*{3} \*{3} \(\*{3}/,
  );
});

test("a source whose launch_url is not an absolute http(s) address fails", async (t) => {
  let launchUrl = "";
  const { address } = await startSource(t, () => launchUrl);
  const launcher = launcherFor(t);
  for (launchUrl of [
    "",
    "/play",
    "//games.example/play",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://games.example",
    "https://",
    "https://a b.example",
    "https://a.example/\n",
    ` https://a.example`,
    `https://a.example/${"x".repeat(8_192)}`,
  ]) {
    await fails(t, launcher.open(at(address), game, 5_000), "unusable", /without a usable launch_url/, launchUrl);
  }
  for (launchUrl of ["http://127.0.0.1:8081/play", "HTTPS://games.example/joão?x=%20#top"])
    t.is(await launcher.open(at(address), game, 5_000), launchUrl);
});

test("a source that refuses, is unreachable, or sends too large an answer fails", async (t) => {
  const { address } = await startSource(t, ({ gameCode, sessionId, playerRef }) => {
    if (gameCode === "huge") return `https://games.example/${"x".repeat(70_000)}`;
    throw new ConnectError(`no game for ${sessionId} of ${playerRef}`, Code.NotFound);
  });
  const launcher = launcherFor(t);
  await fails(t, launcher.open(at(address), game, 5_000), "refused", /NOT_FOUND: no game for \*\*\* of \*\*\*/);
  await fails(t, launcher.open(at(address), { ...game, gameCode: "huge" }, 5_000), "refused", /RESOURCE_EXHAUSTED/);
  await fails(
    t,
    launcher.open(at("http://127.0.0.1:1"), game, 5_000),
    "unreachable",
    /UNAVAILABLE: .*ECONNREFUSED 127\.0\.0\.1:1\.$/,
  );
  await t.throwsAsync(launcher.open(at("ftp://games.example"), game, 5_000), {
    message: /not the address of a source/,
  });
});

test("a source that never answers the call, or never speaks HTTP/2, fails at its deadline", async (t) => {
  const launcher = launcherFor(t);
  const { address } = await startSource(t, () => new Promise(() => {}));
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  t.teardown(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise((resolve) => silent.once("listening", resolve));
  for (const source of [address, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`]) {
    const begun = performance.now();
    await fails(t, launcher.open(at(source), game, 200), "timeout", /DEADLINE_EXCEEDED/);
    t.true(performance.now() - begun < 20_000);
  }
});

test("a source at a private address is not called unless that is allowed, whatever its name", async (t) => {
  let connections = 0;
  const inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  t.teardown(() => inside.close());
  await new Promise((resolve) => inside.once("listening", resolve));
  const { port } = inside.address() as AddressInfo;
  const launcher = launcherFor(t, new ManualClock(), false);
  for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::1]", "10.0.0.1", "169.254.169.254", "168.63.129.16"]) {
    for (const scheme of ["http", "https"]) {
      const refused = {
        message:
          /^14 UNAVAILABLE: .* leads to [\d.:]+, which a source may not have: private addresses need PROVIDER_ALLOW_PRIVATE/,
      };
      await t.throwsAsync(launcher.open(at(`${scheme}://${host}:${port}`), game, 5_000), refused, host);
    }
  }
  t.is(connections, 0);
  const allowed = launcherFor(t);
  for (const host of ["169.254.169.254", "168.63.129.16", "[fe80::1]"])
    await t.throwsAsync(
      allowed.open(at(`http://${host}:80`), game, 5_000),
      { message: /leads to .*, which a source may not have/ },
      host,
    );
});

test("calls to one source share a connection, which is closed when it has been idle for long", async (t) => {
  const { port } = await startSource(t, () => "https://games.example/play");
  const { address: other } = await startSource(t, () => "https://games.example/play");
  let connections = 0;
  let open = 0;
  const relay = createServer((socket) => {
    connections += 1;
    open += 1;
    const on = connect(port, "127.0.0.1");
    socket.pipe(on).pipe(socket);
    socket
      .on("error", () => on.destroy())
      .on("close", () => {
        open -= 1;
        on.destroy();
      });
    on.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  t.teardown(() => relay.close());
  await new Promise((resolve) => relay.once("listening", resolve));
  const source = at(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`);
  const clock = new ManualClock();
  const launcher = launcherFor(t, clock);
  await Promise.all(Array.from({ length: 20 }, () => launcher.open(source, game, 5_000)));
  await launcher.open(source, game, 5_000);
  t.is(connections, 1);
  await clock.pass(601_000);
  await launcher.open(at(other), game, 5_000);
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(open, 0);
});

test("the first launches after a source recovers open the game, although launches failed for two seconds before", async (t) => {
  const first = await startSource(t, () => "https://games.example/1");
  const launcher = launcherFor(t);
  t.is(await launcher.open(at(first.address), game, 5_000), "https://games.example/1");
  await first.server.stop(1_000);
  // During this time the back-off grows.
  for (const until = performance.now() + 2_000; performance.now() < until; )
    await t.throwsAsync(launcher.open(at(first.address), game, 5_000), { message: /UNAVAILABLE/ });
  const second = await startSource(t, () => "https://games.example/2", { port: first.port });
  const launches = Array.from({ length: 100 }, () => launcher.open(at(first.address), game, 5_000));
  t.deepEqual(new Set(await Promise.all(launches)), new Set(["https://games.example/2"]));
  t.is(second.requests.length, 100);
});

test("launches at an unreachable source share one connection attempt, and fail early enough to try the next source", async (t) => {
  let attempts = 0;
  const dead = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  t.teardown(() => dead.close());
  await new Promise((resolve) => dead.once("listening", resolve));
  const source = at(`http://127.0.0.1:${(dead.address() as AddressInfo).port}`);
  const launcher = launcherFor(t);
  const begun = performance.now();
  for (let round = 0; round < 3; round++) {
    const launched = performance.now();
    const launches = Array.from({ length: 1_000 }, () => launcher.open(source, game, 60_000));
    await Promise.all(launches.map((one) => t.throwsAsync(one, { message: /UNAVAILABLE/ })));
    t.true(performance.now() - launched < 20_000);
  }
  // The shortest back-off is 100 ms.
  const most = 2 + (performance.now() - begun) / 100;
  t.true(attempts >= 3 && attempts <= most, `${attempts} attempts, at most ${most}`);
});

test("an https:// source needs a trusted certificate; NODE_EXTRA_CA_CERTS can add a trusted authority", async (t) => {
  const certificates = new URL("../grpc/certificates/", import.meta.url);
  const pem = (name: string): string => readFileSync(new URL(`${name}.pem`, certificates), "utf8");
  const { port } = await startSource(t, () => "https://games.example/play", {
    tls: { key: pem("server.key"), cert: pem("server") },
  });
  const source = at(`https://localhost:${port}`);
  await t.throwsAsync(launcherFor(t).open(source, game, 5_000), { message: /UNAVAILABLE: .*certificate/ });
  const script = `
    import { GrpcGameLauncher } from "${new URL("../../../src/adapters/provider-grpc/grpc-game-launcher.ts", import.meta.url)}";
    const launcher = new GrpcGameLauncher({ monotonic: () => 0 }, { allowPrivate: true });
    console.log(await launcher.open(${JSON.stringify(source)}, ${JSON.stringify(game)}, 5_000));
    launcher.close();`;
  // grpc-js has its own variable. It overrides the usual variable.
  const env = {
    ...process.env,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: undefined,
    NODE_EXTRA_CA_CERTS: new URL("ca.pem", certificates).pathname,
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
  t.is(stdout, "https://games.example/play\n");
});

test("sources with silent name servers do not delay the launch of another provider, and take no thread of the process", async (t) => {
  const dns = await startNameServer((name) => (name === "good.example" ? { addresses: ["127.0.0.1"] } : "nothing"));
  t.teardown(() => dns.close());
  const { port } = await startSource(t, () => "https://games.acme.example/play");
  const launcher = launcherFor(t, new ManualClock(), true, dnsResolve([dns.address]));
  const silent = Array.from({ length: 12 }, (_, n) =>
    launcher.open(at(`http://silent-${n}.example:80`), game, 5_000).then(
      () => "opened",
      (error: OpenFailed) => error.fault,
    ),
  );
  t.is(await launcher.open(at(`http://good.example:${port}`), game, 5_000), "https://games.acme.example/play");
  // A file is read by one of the process's threads.
  await readFile("package.json");
  t.is(await Promise.race([...silent, Promise.resolve("waiting")]), "waiting");
  for (const fault of await Promise.all(silent)) t.true(["timeout", "unreachable"].includes(fault));
});

test("a source with two addresses is reached although the good one needs a second for its handshake", async (t) => {
  const listener = await startSlowListener("127.0.0.1");
  t.teardown(() => listener.close());
  const { port } = await startSource(t, () => "https://games.acme.example/play");
  const other = await new Promise<Server>((resolve) => {
    const server = createServer((socket) => socket.pipe(connect(port, "127.0.0.1")).pipe(socket));
    server.listen(listener.port, "127.0.0.2", () => resolve(server));
  });
  t.teardown(() => other.close());
  const found = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 as const }));
  const silentFirst = launcherFor(t, new ManualClock(), true, async () => found);
  t.is(
    await silentFirst.open(at(`http://two.example:${listener.port}`), game, 5_000),
    "https://games.acme.example/play",
  );
});
