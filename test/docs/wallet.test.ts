import test from "ava";
import { RESULTS } from "../../contract/wallet/results.ts";
import { type AttemptStamp, signedHeaders, transactionBody } from "../../src/adapters/wallet-http/callback.ts";
import { readReply } from "../../src/adapters/wallet-http/reply.ts";
import type { Action, Content } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../src/domain/values/identifiers.ts";
import { exchange } from "../../testbed/callers/raw-http.ts";
import { startDocumentedWallet } from "./documented-wallet.ts";
import { page, table } from "./markdown.ts";

const SECRET = "sk_the_docs";

test("the wallet of the documentation reads a callback in pieces, and no body above 64 KiB", async (t) => {
  const { origin } = await startDocumentedWallet(t, { shop: { secret: SECRET, currency: "BRL" } });
  const { port } = new URL(origin);
  const chunks = (count: number, text: string) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
  const head = "POST /wallet HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  t.is((await exchange(Number(port), `${head}${chunks(60_000, "x")}0\r\n\r\n`)).status, 401);
  const { status } = await exchange(Number(port), `${head}${chunks(70, "x".repeat(1_000))}0\r\n\r\n`);
  t.true(Number.isNaN(status) || status === 500, `no answer about the body: ${status}`);
});

const content = (action: Action, id: string, ref?: string): Content => ({
  merchantId: 1,
  txId: `ACME:${id}` as TxId,
  action,
  playerId: "ana" as PlayerId,
  roundId: "r1",
  amountMinor: 250n,
  currency: "BRL",
  game: { id: 1, code: "fruits", providerId: 1, provider: "ACME" as ProviderCode },
  refTxId: ref === undefined ? null : (`ACME:${ref}` as TxId),
});

test("the wallet of the documentation answers its own faults with 500", async (t) => {
  const { db, origin } = await startDocumentedWallet(t, { shop: { secret: SECRET, currency: "BRL" } });
  const { error } = console;
  console.error = () => {};
  t.teardown(() => {
    console.error = error;
  });
  db.exec("DROP TABLE players");
  const body = Buffer.from(transactionBody(content("win", "w1")));
  const headers = signedHeaders(LOCAL, "/", body, { ...STAMP, now: Date.now() });
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ""] as [string, string]] : []));
  t.is((await fetch(origin, { method: "POST", headers: pairs, body })).status, 500);
});

const LOCAL = {
  merchantId: 1,
  merchantCode: "shop",
  walletUrl: "https://wallet.example/",
  secret: SECRET,
  nextSecret: null,
  traceContext: false,
};
const STAMP: AttemptStamp = {
  now: 1_767_225_600_000,
  nonce: "00112233445566778899aabbccddeeff",
  requestId: "id",
  attempt: 1,
  traceparent: undefined,
};

test("the table of callback fields has the fields that the service sends, in their order", (t) => {
  const rows = table(page("docs/specification/wallet-contract.md"), "Fields");
  for (const action of ["bet", "win", "refund", "rollback"] as const) {
    const ref = action === "refund" || action === "rollback" ? "b1" : undefined;
    const sent: unknown = JSON.parse(transactionBody(content(action, "x", ref)));
    const documented = rows
      .filter((row) => row["present in"] === "all" || row["present in"]?.split(", ").includes(action))
      .filter(
        (row) => row["present in"]?.endsWith(", if known") !== true || Object.hasOwn(sent as object, row.field ?? ""),
      )
      .map((row) => row.field);
    t.deepEqual(documented, Object.keys(sent as object), action);
    for (const [field, value] of Object.entries(sent as object))
      t.is(rows.find((row) => row.field === field)?.type, typeof value, field);
  }
});

test("the example of a callback has the headers that the service sends", (t) => {
  const names = signedHeaders(LOCAL, "/", Buffer.from("{}"), STAMP).filter((_, i) => i % 2 === 0);
  t.true(names.length >= 7);
  for (const name of names) t.regex(page("docs/merchant.md"), new RegExp(`^${name}: `, "m"), name);
});

test("the service reads replies as docs/specification/wallet-calls.md describes", (t) => {
  const read = (status: number, body: string) => readReply(status, Buffer.from(body), "BRL").result;
  const rows = table(page("docs/specification/wallet-calls.md"), "The reply").map((row) => row["recorded as"]);
  t.deepEqual(rows, Object.keys(RESULTS));
  t.is(read(200, '{"ok":true,"balance":97.5}'), "accepted");
  t.is(read(429, '{"ok":false}'), "rejected");
  t.is(read(503, '{"ok":true,"balance":97.5}'), "http_5xx");
  t.is(read(200, "<html>"), "not_json");
  for (const body of ["[]", "null", '{"ok":"true","balance":1}', '{"ok":1}']) t.is(read(200, body), "no_ok", body);
  for (const body of [
    '{"ok":true}',
    '{"ok":true,"balance":"97.5"}',
    '{"ok":true,"balance":null}',
    '{"ok":true,"balance":1e400}',
  ])
    t.is(read(200, body), "no_balance", body);
});
