/**
 * A walletUrl never makes the service call its own network. The URL is checked when it is set, and its address is
 * checked when it is called.
 */
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import test from "ava";
import { dnsResolve } from "../../../../src/adapters/names/host-addresses.ts";
import { AddressRefused, guardedLookup } from "../../../../src/adapters/wallet-http/address-guard.ts";
import { adminOf, refusalOf, startReplica } from "../../../../testbed/callers/administration.ts";
import { type DnsAnswer, startNameServer } from "../../../../testbed/programs/name-server.ts";
import { bet, makeWallet, target } from "../../../adapters/wallet-http/wallet-fixture.ts";
import { REFUSED_IN_CALLING, REFUSED_IN_WRITING } from "./private-urls.ts";

test("the lists have more than two hundred addresses, each once", (t) => {
  const all = [...REFUSED_IN_WRITING, ...REFUSED_IN_CALLING];
  t.true(all.length > 200, String(all.length));
  t.is(new Set(all).size, all.length);
});

test.serial(
  "the administration refuses each private address and names the field, and accepts host names",
  async (t) => {
    const { brands, merchants } = adminOf(await startReplica(t, "sqlite::memory:"));
    await brands.createBrand({ code: "house" });
    await merchants.createMerchant({ code: "casa", currency: "BRL", brand: "house", products: ["slot"] });
    for (const walletUrl of REFUSED_IN_WRITING.filter((url) => url !== "")) {
      const change = merchants.setMerchant({ code: "casa", walletUrl, reason: "they moved" });
      t.is(await refusalOf(change).catch(() => "taken"), "VALIDATION_ERROR wallet_url", JSON.stringify(walletUrl));
    }
    for (const walletUrl of REFUSED_IN_CALLING)
      await merchants.setMerchant({ code: "casa", walletUrl, reason: "they moved" });
    t.is((await merchants.getMerchant({ code: "casa" })).merchant?.walletUrl, REFUSED_IN_CALLING.at(-1));
  },
);

test.serial(
  "the service connects to none of these addresses, whatever DNS answers: each call ends as silent (connect)",
  async (t) => {
    const answers: readonly DnsAnswer[] = [
      ...[
        "127.0.0.1",
        "169.254.169.254",
        "10.0.0.1",
        "192.168.1.10",
        "100.64.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "fd00::1",
        "64:ff9b::7f00:1",
      ].map((address) => ({
        addresses: [address],
      })),
      { addresses: ["1.1.1.1", "127.0.0.1"] },
      { addresses: ["2606:4700::1111", "::1"] },
      { alias: "localhost", addresses: ["127.0.0.1"] },
    ];
    let turn = 0;
    const dns = await startNameServer(() => answers[turn % answers.length] ?? "nothing");
    t.teardown(() => dns.close());
    const attempted: string[] = [];
    subscribe("net.client.socket", (message) => {
      const { socket } = message as { readonly socket: Socket };
      socket.on("connectionAttempt", (address: string) => attempted.push(address));
    });
    const { wallet, telemetry } = makeWallet(t, {
      allowHttp: false,
      allowPrivate: false,
      dnsServers: [dns.address],
      timeoutMs: 30_000,
    });
    for (const url of REFUSED_IN_WRITING)
      t.is((await wallet.send(target(url), bet(), 1)).result, "connect", JSON.stringify(url));
    t.deepEqual(dns.queries, [], "not even a name is looked up");
    for (const url of REFUSED_IN_CALLING) {
      for (const _ of answers) {
        turn += 1;
        t.is((await wallet.send(target(url), bet(), 1)).result, "connect", url);
      }
    }
    t.true(dns.queries.length >= 2 * REFUSED_IN_CALLING.length * answers.length);
    t.deepEqual(attempted, []);
    t.deepEqual(
      telemetry.alerts.map(({ name }) => name),
      ["wallet_address"],
    );
  },
);

test("if a name resolves to other addresses each time, each of a thousand look-ups is judged by its own answer", async (t) => {
  let n = 0;
  const isBad = () => n % 2 === 1;
  const dns = await startNameServer(() => ({
    addresses: isBad() ? ["127.0.0.1", "::1"] : ["1.1.1.1", "2606:4700::1111"],
  }));
  t.teardown(() => dns.close());
  const lookup = guardedLookup(dnsResolve([dns.address]), false);
  for (; n < 1_000; n++) {
    const { error, addresses } = await new Promise<{ error: Error | null; addresses: unknown }>((done) =>
      lookup("rebind.example", { all: true }, (fault, found) => done({ error: fault, addresses: found })),
    );
    t.is(error instanceof AddressRefused, isBad());
    if (isBad()) t.deepEqual(addresses, []);
    else t.is(error, null);
  }
});
