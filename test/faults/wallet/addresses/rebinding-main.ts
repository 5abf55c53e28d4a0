/**
 * Tests names that lead, or later change, to private addresses, which are forbidden. Run this program in its own
 * network namespace, as rebinding.ts does. There the public address belongs to this process. So no packet leaves the
 * machine, and a call to a private address is noticed.
 */
import { subscribe } from "node:diagnostics_channel";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { isPublicAddress } from "../../../../src/domain/access/public-address.ts";
import type { DnsAnswer } from "../../../../testbed/programs/name-server.ts";
import { makeLeaf } from "../../../adapters/wallet-http/certificates.ts";
import { eachRequest, reply } from "../../../adapters/wallet-http/raw-server.ts";
import { bet, makeWallet, target } from "../../../adapters/wallet-http/wallet-fixture.ts";
import { openStage, type Stage } from "../stage.ts";
import { count, newTally, type Tally } from "../tally.ts";
import { PRIVATE_ADDRESSES, PUBLIC_ADDRESS } from "./namespace.ts";

const HOST = "rebind.example";
const GOOD: DnsAnswer = { addresses: [PUBLIC_ADDRESS] };
/** The bad addresses: every second look-up of the name returns one of them. */
const BAD: readonly DnsAnswer[] = [
  ...PRIVATE_ADDRESSES.map((address): DnsAnswer => ({ addresses: [address] })),
  { addresses: ["::ffff:127.0.0.1"] },
  { addresses: [PUBLIC_ADDRESS, "127.0.0.1"] },
  { alias: "localhost", addresses: ["127.0.0.1"] },
  { alias: "metadata.example", addresses: ["169.254.169.254"] },
];

const ends: (() => void | Promise<void>)[] = [];
const scope = { teardown: (end: () => void | Promise<void>) => void ends.push(end) };

/** A TLS wallet at the public address, and a forbidden listener at each private address, all on one port. */
async function listen(stage: Stage, serve: (socket: Duplex) => void): Promise<{ port: number; trapped: () => number }> {
  const sound = createTlsServer(makeLeaf(HOST, stage.authority), serve).on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => sound.listen(0, PUBLIC_ADDRESS, resolve));
  const { port } = sound.address() as AddressInfo;
  let trapped = 0;
  for (const address of PRIVATE_ADDRESSES) {
    const server = createServer((socket) => {
      trapped += 1;
      socket.on("error", () => undefined).destroy();
    });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, address, resolve));
    ends.push(() => void server.close());
  }
  ends.push(() => void sound.close());
  return { port, trapped: () => trapped };
}

/** Tests only the adapter: every look-up gets another answer. */
async function lookUps(stage: Stage, runs: number): Promise<Tally> {
  const tally = newTally("C10", "a name that is public, then private, look-up by look-up");
  const attempted: string[] = [];
  subscribe("net.client.socket", (message) => {
    const { socket } = message as { readonly socket: Socket };
    socket.on("connectionAttempt", (address: string) => attempted.push(address));
  });
  const { port, trapped } = await listen(stage, (socket) => {
    eachRequest(
      socket.on("error", () => undefined),
      () => socket.end(reply(200, '{"ok":true,"balance":1}', "connection: close\r\n")),
    );
  });
  const strict = {
    allowHttp: false,
    allowPrivate: false,
    ca: stage.authority.pem,
    dnsServers: [stage.dns],
    timeoutMs: 8_000,
  };
  const { wallet, telemetry } = makeWallet(scope, strict);
  const url = `https://${HOST}:${port}/`;
  for (let n = 0; n < runs; n++) {
    const bad = n % 2 === 0 ? undefined : BAD[((n - 1) / 2) % BAD.length];
    stage.names.set(HOST, () => bad ?? GOOD);
    const { result } = await wallet.send(target(url), bet(), 1);
    tally.fired += 1;
    count(tally, bad === undefined ? `public: ${result}` : `private: ${result}`);
    if (result !== (bad === undefined ? "accepted" : "connect"))
      tally.violations.push(`${JSON.stringify(bad ?? GOOD)}: ${result}`);
  }
  const privateAddresses = attempted.filter((address) => !isPublicAddress(address));
  if (privateAddresses.length > 0) tally.violations.push(`connections to ${[...new Set(privateAddresses)].join(", ")}`);
  if (trapped() > 0) tally.violations.push(`${trapped()} connections reached a private address`);
  if (!telemetry.alerts.some(({ name }) => name === "wallet_address")) tally.violations.push("no alert wallet_address");
  // To prove that the listeners work: if private addresses are allowed, the listeners get the calls.
  stage.names.set(HOST, () => ({ addresses: ["127.0.0.1"] }));
  await makeWallet(scope, { ...strict, allowPrivate: true }).wallet.send(target(url), bet(), 1);
  if (trapped() === 0) tally.violations.push("the listener at 127.0.0.1 notices nothing");
  return tally;
}

/** Tests the service: a bet while the name leads to a private address, and its repeat when it leads to the wallet. */
async function bets(stage: Stage, runs: number): Promise<Tally> {
  const tally = newTally("C10", "a name that leads to a private address, and home again");
  const code = "c10-rebinding";
  const { port, trapped } = await listen(stage, (socket) =>
    stage.bank.serve(socket, { applies: true, sound: true, closes: true }),
  );
  const sessionId = await stage.merchant(code, `https://${HOST}:${port}/wallet`);
  for (let n = 0; n < runs; n++) {
    const txId = `${code}-${n}`;
    const bad = BAD[n % BAD.length] ?? GOOD;
    stage.names.set(HOST, () => bad);
    const first = await stage.world.request("bet", { txId, sessionId });
    stage.names.set(HOST, () => GOOD);
    const last = await stage.world.request("bet", { txId, sessionId });
    const { attempts, attempt_log: log } = await stage.readTransaction(code, txId);
    tally.fired += 1;
    count(tally, `${first} (${log[0]?.result}), then ${last}`);
    if (first !== "pending" || log[0]?.result !== "connect" || last !== "success")
      tally.violations.push(`${JSON.stringify(bad)}: ${first}, ${last}`);
    if (attempts !== 2 || stage.bank.requests(`ACME:${txId}`).length !== 1)
      tally.violations.push(`${txId}: another number of requests`);
  }
  if (trapped() > 0) tally.violations.push(`${trapped()} connections reached a private address`);
  if (!stage.alerts(code).includes("wallet_address")) tally.violations.push("no alert wallet_address");
  tally.violations.push(...stage.bank.violations);
  return tally;
}

const runs = Number(process.argv[2]);
try {
  const env = { WALLET_ALLOW_HTTP: "false", WALLET_ALLOW_PRIVATE: "false" };
  const stage = await openStage(scope, { timeoutMs: 8_000, soonMs: 0, lateMs: 0 }, { env });
  const tallies = [await lookUps(stage, 50 * runs), await bets(stage, runs)];
  process.stdout.write(JSON.stringify(tallies.map((tally) => ({ ...tally, outcomes: [...tally.outcomes] }))));
} finally {
  for (const end of ends.reverse()) await end();
}
process.exit(0);
