import test from "ava";
import { reply } from "./raw-server.ts";
import { bet, header, makeWallet, query, SECRET, serve, target } from "./wallet-fixture.ts";

test("five replies with 401 in a row raise the alert wallet_401s once for each merchant", async (t) => {
  let status = 401;
  const server = await serve(t, (socket) => socket.write(reply(status, '{"ok":false,"error":"INVALID_SIGNATURE"}')));
  const { wallet, telemetry } = makeWallet(t);
  const call = async (times: number, merchantId = 7): Promise<void> => {
    for (let i = 0; i < times; i++) await wallet.send(target(server.url, merchantId), bet(), 1);
  };
  await call(4);
  status = 200;
  await call(1);
  status = 401;
  await call(4);
  await call(4, 8);
  t.deepEqual(telemetry.alerts, []);
  t.deepEqual(wallet.troubles(), []);
  await call(1);
  t.deepEqual(telemetry.alerts, [{ name: "wallet_401s", fields: { merchant: "shop-7", in_a_row: 5 } }]);
  const request_id = header(server.requests.at(-1), "X-Request-Id");
  t.deepEqual(telemetry.ids, [{ tx_id: "ACME:t-1", request_id, trace_id: undefined }]);
  await call(2);
  t.is(telemetry.alerts.length, 1);
  t.deepEqual(wallet.troubles(), [{ alert: "wallet_401s", merchantId: 7 }]);
  status = 200;
  await call(1);
  t.deepEqual(wallet.troubles(), []);
});

test("a balance that isn't exact is a success, and raises the alert balance_precision", async (t) => {
  const server = await serve(t, (socket, _request, n) =>
    socket.write(reply(200, `{"ok":true,"balance":${n === 1 ? "10.129" : "1e300"}}`)),
  );
  const { wallet, telemetry } = makeWallet(t);
  t.deepEqual((await wallet.send(target(server.url), bet(), 1)).answer, { kind: "accepted", balanceMinor: 1_012n });
  t.deepEqual((await wallet.balance(target(server.url), query())).answer, { kind: "accepted", balanceMinor: null });
  t.deepEqual(telemetry.alerts, [
    { name: "balance_precision", fields: { merchant: "shop-7", tx_id: "ACME:t-1", balance: 10.129 } },
    { name: "balance_precision", fields: { merchant: "shop-7", tx_id: null, balance: 1e300 } },
  ]);
});

test("redirects raise the alert wallet_redirects once, until the wallet has answered without a redirect", async (t) => {
  let status = 307;
  const server = await serve(t, (socket) =>
    socket.write(reply(status, '{"ok":false,"error":"MOVED"}', "location: https://elsewhere.example/\r\n")),
  );
  const { wallet, telemetry } = makeWallet(t);
  for (const next of [307, 302, 200, 301]) {
    status = next;
    await wallet.send(target(server.url), bet(), 1);
    t.deepEqual(wallet.troubles(), next === 200 ? [] : [{ alert: "wallet_redirects", merchantId: 7 }]);
  }
  t.deepEqual(telemetry.alerts, [
    { name: "wallet_redirects", fields: { merchant: "shop-7", why: "307" } },
    { name: "wallet_redirects", fields: { merchant: "shop-7", why: "301" } },
  ]);
});

test("a name that resolves to a private address raises the alert wallet_address once", async (t) => {
  const { wallet, telemetry } = makeWallet(t, {
    allowPrivate: false,
    resolve: async () => [{ address: "169.254.169.254", family: 4 }],
  });
  for (let i = 0; i < 3; i++) await wallet.send(target("https://metadata.example/"), bet(), 1);
  const why = "metadata.example leads to 169.254.169.254, which is not a public address";
  t.deepEqual(telemetry.alerts, [{ name: "wallet_address", fields: { merchant: "shop-7", why } }]);
});

test("alerts and results contain no secret", async (t) => {
  const server = await serve(t, (socket) => socket.write(reply(401, '{"ok":true,"balance":0.001}')));
  const { wallet, telemetry } = makeWallet(t);
  const answers = await Promise.all(Array.from({ length: 6 }, () => wallet.send(target(server.url), bet(), 1)));
  const seen = JSON.stringify([telemetry, answers], (_key, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  t.is(telemetry.alerts.length, 7);
  t.false(seen.includes(SECRET));
});
