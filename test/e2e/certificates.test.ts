/**
 * NODE_TLS_REJECT_UNAUTHORIZED=0 makes Node accept every certificate. Clients that send our secrets must still verify
 * certificates.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { makeLeaf } from "../adapters/wallet-http/certificates.ts";

const run = promisify(execFile);
const src = new URL("../../src/", import.meta.url).href;

/** A server with a self-signed certificate. It counts the bytes that came through TLS. */
async function startSelfSigned(
  t: ExecutionContext,
): Promise<{ readonly port: number; readonly received: () => number }> {
  let bytes = 0;
  const server = createServer({ ...makeLeaf("localhost", null), ALPNProtocols: ["h2", "http/1.1"] }, (socket) => {
    t.teardown(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
  });
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.teardown(() => server.close());
  return { port: (server.address() as AddressInfo).port, received: () => bytes };
}

/** The output of a process whose Node accepts every certificate. */
async function careless(script: string, env: Record<string, string> = {}): Promise<string> {
  const given = { ...process.env, ...env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { env: given });
  return stdout.trim();
}

test("with NODE_TLS_REJECT_UNAUTHORIZED=0, Node's own client sends to a self-signed server", async (t) => {
  const { port, received } = await startSelfSigned(t);
  const script = `
    import { connect } from "node:tls";
    const socket = connect(${port}, "127.0.0.1", { servername: "localhost" }, () => socket.end("hello", () => console.log("sent")));`;
  t.is(await careless(script), "sent");
  while (received() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.is(received(), 5);
});

test("a wallet with a self-signed certificate gets no request", async (t) => {
  const { port, received } = await startSelfSigned(t);
  const script = `
    import { HttpWallet } from "${src}adapters/wallet-http/http-wallet.ts";
    import { SystemClock } from "${src}adapters/system/system-clock.ts";
    import { SystemRandom } from "${src}adapters/system/system-random.ts";
    const telemetry = { alert: (name, { why }) => console.log(name, why) };
    const wallet = new HttpWallet(new SystemClock(), new SystemRandom(), telemetry, { timeoutMs: 3_000, allowHttp: true, allowPrivate: true });
    const target = { merchantId: 1, merchantCode: "shop", walletUrl: "https://localhost:${port}/wallet", secret: "sk", nextSecret: null, traceContext: false };
    console.log((await wallet.balance(target, { playerId: "p", currency: "BRL", provider: "ACME", game: "g" })).result);
    wallet.close();`;
  t.is(await careless(script), "wallet_tls DEPTH_ZERO_SELF_SIGNED_CERT\ntls");
  t.is(received(), 0);
});

test("a provider's source with a self-signed certificate gets no request", async (t) => {
  const { port, received } = await startSelfSigned(t);
  const script = `
    import { GrpcGameLauncher } from "${src}adapters/provider-grpc/grpc-game-launcher.ts";
    const launcher = new GrpcGameLauncher({ monotonic: () => 0 }, { allowPrivate: true });
    const game = { sessionId: "session-1", playerRef: "player-1", gameCode: "g", currency: "BRL", language: "pt", country: "BR", demo: false, lobbyUrl: null };
    const source = { address: "https://localhost:${port}", deadlineMs: 3_000, enabled: true };
    console.log(await launcher.open(source, game, 3_000).then(() => "opened", (error) => error.message));
    launcher.close();`;
  t.regex(await careless(script), /UNAVAILABLE: .*self-signed certificate/);
  t.is(received(), 0);
});

test("the command line sends its key to no service with a self-signed certificate", async (t) => {
  const { port, received } = await startSelfSigned(t);
  const script = `
    import { PROGRAM } from "${src}cli/program.ts";
    import { run } from "${src}cli/run.ts";
    const terminal = { out: console.log, err: console.log, columns: null, colour: false };
    const env = { ADMIN_URL: "https://localhost:${port}", ADMIN_KEY: "the-first-key-of-all" };
    process.exit(await run(PROGRAM, ["merchant", "list"], env, terminal, "/"));`;
  const failed = await careless(script).catch((error: { stdout: string }) => error.stdout);
  t.regex(failed, /self-signed certificate/);
  t.is(received(), 0);
});
