import test, { type ExecutionContext } from "ava";
import { dnsResolve, type Resolve } from "../../../src/adapters/names/host-addresses.ts";
import { type DnsAnswer, NXDOMAIN, SERVFAIL, startNameServer } from "../../../testbed/programs/name-server.ts";

async function serve(
  t: ExecutionContext,
  answerOf: Parameters<typeof startNameServer>[0],
  unknown?: Resolve | null,
): Promise<{ resolve: Resolve; queries: string[] }> {
  const server = await startNameServer(answerOf);
  t.teardown(() => server.close());
  return { resolve: dnsResolve([server.address], unknown), queries: server.queries };
}

const addresses = (...list: string[]): DnsAnswer => ({ addresses: list });

test("dnsResolve returns every address that DNS has", async (t) => {
  const { resolve } = await serve(t, () => addresses("192.0.2.1", "2001:db8::1", "192.0.2.2", "::ffff:127.0.0.1"));
  t.deepEqual(await resolve("wallet.example"), [
    { address: "192.0.2.1", family: 4 },
    { address: "192.0.2.2", family: 4 },
    { address: "2001:db8::1", family: 6 },
    { address: "::ffff:127.0.0.1", family: 6 },
  ]);
});

test("dnsResolve sends two queries (A and AAAA) for concurrent look-ups of a name, and two new queries for a later look-up", async (t) => {
  const { resolve, queries } = await serve(t, () => addresses("192.0.2.1"));
  await Promise.all([resolve("wallet.example"), resolve("wallet.example"), resolve("wallet.example")]);
  t.is(queries.length, 2);
  await resolve("wallet.example");
  t.is(queries.length, 4);
});

test("dnsResolve rejects if neither DNS nor the machine knows the name, or if the name server fails", async (t) => {
  const { resolve } = await serve(t, (name) => (name === "broken.example" ? SERVFAIL : NXDOMAIN));
  await t.throwsAsync(resolve("nowhere.invalid"));
  await t.throwsAsync(resolve("broken.example"), { code: "ESERVFAIL" });
});

test("dnsResolve never sends a name server a query for localhost", async (t) => {
  const { resolve, queries } = await serve(t, () => addresses("192.0.2.1"));
  for (const name of ["localhost", "wallet.localhost"])
    t.deepEqual(
      (await resolve(name)).map(({ address }) => address),
      ["127.0.0.1", "::1"],
    );
  t.deepEqual(queries, []);
});

test("a name server that doesn't answer for one name does not delay look-ups of other names", async (t) => {
  const { resolve } = await serve(t, (name) => (name.startsWith("hangs") ? "nothing" : addresses("192.0.2.1")));
  const hanging = Array.from({ length: 8 }, (_, n) =>
    resolve(`hangs-${n}.example`).then(
      () => "answered",
      () => "failed",
    ),
  );
  await resolve("wallet.example");
  t.is(await Promise.race([...hanging, Promise.resolve("hanging")]), "hanging");
});

test("dnsResolve follows an alias to its addresses", async (t) => {
  const { resolve } = await serve(t, () => ({ alias: "elsewhere.example", addresses: ["192.0.2.9"] }));
  t.deepEqual(await resolve("wallet.example"), [{ address: "192.0.2.9", family: 4 }]);
});

test("a name server that never answers for one address family does not delay a call if the other family is known", async (t) => {
  for (const answered of ["A", "AAAA"] as const) {
    const { resolve } = await serve(t, (_name, type) =>
      type === answered ? addresses("192.0.2.1", "2001:db8::1") : "nothing",
    );
    const answer = async () => {
      const hanging = new Promise((done) => setTimeout(done, 2_400, "hanging").unref());
      return Promise.race([resolve("wallet.example"), hanging]);
    };
    // A machine that stands still looks like a name server that does not answer.
    let found = await answer();
    for (let tries = 1; found === "hanging" && tries < 5; tries++) found = await answer();
    t.deepEqual(found, [
      answered === "A" ? { address: "192.0.2.1", family: 4 } : { address: "2001:db8::1", family: 6 },
    ]);
  }
});

test("the system looks up a name that DNS doesn't have, but only if this is allowed", async (t) => {
  const system: string[] = [];
  const unknown: Resolve = async (host) => {
    system.push(host);
    return [{ address: "192.0.2.7", family: 4 }];
  };
  const trusted = await serve(t, (name) => (name === "broken.example" ? SERVFAIL : NXDOMAIN), unknown);
  t.deepEqual(await trusted.resolve("hosts-file.example"), [{ address: "192.0.2.7", family: 4 }]);
  await t.throwsAsync(trusted.resolve("broken.example"), { code: "ESERVFAIL" });
  t.deepEqual(system, ["hosts-file.example"]);
  const strict = await serve(t, () => NXDOMAIN, null);
  await t.throwsAsync(strict.resolve("hosts-file.example"), { code: "ENOTFOUND" });
});

test("a DNS query without an answer ends before the call that needs it", async (t) => {
  const server = await startNameServer(() => "nothing");
  t.teardown(() => server.close());
  const began = performance.now();
  await t.throwsAsync(dnsResolve([server.address], null, 800)("wallet.example"), { code: "ETIMEOUT" });
  t.true(performance.now() - began >= 280);
  t.is(server.queries.length, 4);
});
