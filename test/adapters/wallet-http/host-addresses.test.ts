import { createSocket } from "node:dgram";
import test, { type ExecutionContext } from "ava";
import { dnsResolve, type Resolve } from "../../../src/adapters/wallet-http/host-addresses.ts";

const TYPE_A = 1;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** What a name server says to a name: IPv4 addresses, or an error code. undefined: nothing at all. */
type Answer = readonly string[] | number | undefined;

/** A name server on loopback (RFC 1035, one question, A records). */
async function serve(t: ExecutionContext, answer: (name: string) => Answer): Promise<{ resolve: Resolve; asked: string[] }> {
  const asked: string[] = [];
  const server = createSocket("udp4");
  server.on("message", (message, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1);
    const name = labels.join(".");
    asked.push(`${name} ${type}`);
    const said = answer(name);
    if (said === undefined) return;
    const addresses = typeof said === "number" || type !== TYPE_A ? [] : said;
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (typeof said === "number" ? said : 0), 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)]));
    server.send(Buffer.concat([head, message.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  t.teardown(() => new Promise<void>((resolve) => server.close(resolve)));
  return { resolve: dnsResolve([`127.0.0.1:${server.address().port}`]), asked };
}

test("dnsResolve answers every address that DNS has", async (t) => {
  const { resolve } = await serve(t, () => ["192.0.2.1", "192.0.2.2"]);
  t.deepEqual(await resolve("wallet.example"), [
    { address: "192.0.2.1", family: 4 },
    { address: "192.0.2.2", family: 4 },
  ]);
});

test("dnsResolve asks once for concurrent look-ups of a name, and again for later ones", async (t) => {
  const { resolve, asked } = await serve(t, () => ["192.0.2.1"]);
  await Promise.all([resolve("wallet.example"), resolve("wallet.example"), resolve("wallet.example")]);
  t.is(asked.length, 2);
  await resolve("wallet.example");
  t.is(asked.length, 4);
});

test("dnsResolve rejects a name that neither DNS nor the machine knows, and one that its server fails on", async (t) => {
  const { resolve } = await serve(t, (name) => (name === "broken.example" ? SERVFAIL : NXDOMAIN));
  await t.throwsAsync(resolve("nowhere.invalid"));
  await t.throwsAsync(resolve("broken.example"), { code: "ESERVFAIL" });
});

test("dnsResolve never asks a name server about localhost", async (t) => {
  const { resolve, asked } = await serve(t, () => ["192.0.2.1"]);
  for (const name of ["localhost", "wallet.localhost"])
    t.deepEqual(
      (await resolve(name)).map(({ address }) => address),
      ["127.0.0.1", "::1"],
    );
  t.deepEqual(asked, []);
});

test("one name server that doesn't answer delays no other name", async (t) => {
  const { resolve } = await serve(t, (name) => (name.startsWith("hangs") ? undefined : ["192.0.2.1"]));
  const hanging = Array.from({ length: 8 }, (_, n) =>
    resolve(`hangs-${n}.example`).then(
      () => "answered",
      () => "failed",
    ),
  );
  await resolve("wallet.example");
  t.is(await Promise.race([...hanging, Promise.resolve("hanging")]), "hanging");
});
