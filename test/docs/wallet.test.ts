import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import test, { type ExecutionContext } from "ava";
import { RESULTS } from "../../contract/wallet/results.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { type AttemptStamp, signedHeaders, transactionBody } from "../../src/adapters/wallet-http/callback.ts";
import { HttpWallet } from "../../src/adapters/wallet-http/http-wallet.ts";
import { readReply } from "../../src/adapters/wallet-http/reply.ts";
import type { Action, Content, WalletAnswer } from "../../src/domain/transaction/transaction.ts";
import type { PlayerId, ProviderCode, TxId } from "../../src/domain/values/identifiers.ts";
import type { Currency } from "../../src/domain/values/money.ts";
import { exchange } from "../../testbed/callers/raw-http.ts";
import { RecordedTelemetry } from "../../testbed/in-process/recorded-telemetry.ts";
import { checkout, page, table } from "./markdown.ts";

/** The code of wallet.mjs in docs/merchant.md, as a reader copies it. */
interface WalletCode {
  createWallet(
    merchants: Record<string, { secret: string; currency: Currency }>,
    file: string,
  ): { db: DatabaseSync; server: Server };
}

const SECRET = "sk_the_docs";
const ACCEPTED = (balanceMinor: bigint): WalletAnswer => ({ kind: "accepted", balanceMinor });
const REJECTED = (error: string): WalletAnswer => ({ kind: "rejected", error });

/** The documentation's wallet, called by the service's own client. The players ana and `blocked` each have 100.00. */
async function start(t: ExecutionContext, currency: Currency = "BRL") {
  const { createWallet } = (await import(join(checkout(t, "docs/merchant.md"), "wallet.mjs"))) as WalletCode;
  const { db, server } = createWallet({ shop: { secret: SECRET, currency } }, ":memory:");
  const player = db.prepare("INSERT INTO players (merchant, player_id, balance, blocked) VALUES ('shop', ?, 10000, ?)");
  player.run("ana", 0);
  player.run("blocked", 1);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const walletUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet?for=shop`;
  const client = new HttpWallet(new SystemClock(), new SystemRandom(), new RecordedTelemetry(), {
    timeoutMs: 8_000,
    allowHttp: true,
    allowPrivate: true,
  });
  t.teardown(() => {
    client.close();
    server.close();
    db.close();
  });
  const target = {
    merchantId: 1,
    merchantCode: "shop",
    walletUrl,
    secret: SECRET,
    nextSecret: null,
    traceContext: false,
  };
  const send = async (content: Content, secret = SECRET) =>
    (await client.send({ ...target, secret }, content, 1)).answer;
  const balance = async (player = "ana") =>
    (
      await client.balance(target, {
        playerId: player as PlayerId,
        currency,
        provider: "ACME" as ProviderCode,
        game: "fruits",
      })
    ).answer;
  return { db, walletUrl, send, balance };
}

test("the wallet of the documentation reads a callback in pieces, and no body above 64 KiB", async (t) => {
  const { walletUrl } = await start(t);
  const { port } = new URL(walletUrl);
  const chunks = (count: number, text: string) => `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);
  const head = "POST /wallet HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
  t.is((await exchange(Number(port), `${head}${chunks(60_000, "x")}0\r\n\r\n`)).status, 401);
  const { status } = await exchange(Number(port), `${head}${chunks(70, "x".repeat(1_000))}0\r\n\r\n`);
  t.true(Number.isNaN(status) || status === 500, `no answer about the body: ${status}`);
});

const content = (
  action: Action,
  id: string,
  more: { ref?: string; amount?: bigint; player?: string; currency?: Currency } = {},
): Content => ({
  merchantId: 1,
  txId: `ACME:${id}` as TxId,
  action,
  playerId: (more.player ?? "ana") as PlayerId,
  roundId: "r1",
  amountMinor: more.amount ?? 250n,
  currency: more.currency ?? "BRL",
  game: { id: 1, code: "fruits", providerId: 1, provider: "ACME" as ProviderCode },
  refTxId: more.ref === undefined ? null : (`ACME:${more.ref}` as TxId),
});

test("the wallet of the documentation applies a bet and a win once each, and repeats its reply when they come again", async (t) => {
  const { send, balance } = await start(t);
  t.deepEqual(await send(content("bet", "b1")), ACCEPTED(9_750n));
  t.deepEqual(await send(content("win", "w1", { amount: 1_001n })), ACCEPTED(10_751n));
  t.deepEqual(await send(content("bet", "b1")), ACCEPTED(9_750n), "the stored reply");
  t.deepEqual(await send(content("win", "w1", { amount: 1_001n })), ACCEPTED(10_751n));
  t.deepEqual(await balance(), ACCEPTED(10_751n));
});

test("the wallet of the documentation applies concurrent copies once", async (t) => {
  const { send, balance } = await start(t);
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(content("bet", "b1"))));
  t.deepEqual(answers, Array<WalletAnswer>(20).fill(ACCEPTED(9_750n)));
  t.deepEqual(await balance(), ACCEPTED(9_750n));
});

test("the wallet of the documentation keeps the rejection of a bet, and decides again about a rejected win", async (t) => {
  const { db, send } = await start(t);
  t.deepEqual(await send(content("bet", "b1", { amount: 10_001n })), REJECTED("INSUFFICIENT_FUNDS"));
  t.deepEqual(await send(content("win", "w1", { player: "rui" })), REJECTED("PLAYER_NOT_FOUND"));
  db.exec(
    "UPDATE players SET balance = 20000; INSERT INTO players (merchant, player_id, balance) VALUES ('shop', 'rui', 0)",
  );
  t.deepEqual(await send(content("bet", "b1", { amount: 10_001n })), REJECTED("INSUFFICIENT_FUNDS"));
  t.deepEqual(await send(content("win", "w1", { player: "rui" })), ACCEPTED(250n));
});

test("the wallet of the documentation refunds a bet once, whatever the refund's id", async (t) => {
  const { send, balance } = await start(t);
  await send(content("bet", "b1"));
  t.deepEqual(await send(content("refund", "f1", { ref: "b1" })), ACCEPTED(10_000n));
  t.deepEqual(await send(content("refund", "f1", { ref: "b1" })), ACCEPTED(10_000n));
  t.deepEqual(await send(content("refund", "f2", { ref: "b1" })), REJECTED("ALREADY_REVERSED"));
  t.deepEqual(await balance(), ACCEPTED(10_000n));
});

test("the wallet of the documentation refuses a refund of another amount, of a win, or of another player's bet", async (t) => {
  const { send } = await start(t);
  await send(content("bet", "b1"));
  await send(content("win", "w1"));
  t.deepEqual(await send(content("refund", "f1", { ref: "b1", amount: 249n })), REJECTED("AMOUNT_MISMATCH"));
  t.deepEqual(await send(content("refund", "f2", { ref: "w1" })), REJECTED("TRANSACTION_NOT_FOUND"));
  t.deepEqual(await send(content("refund", "f3", { ref: "b1", player: "blocked" })), REJECTED("TRANSACTION_NOT_FOUND"));
});

test("the wallet of the documentation refuses a bet whose refund got TRANSACTION_NOT_FOUND", async (t) => {
  const { send, balance } = await start(t);
  t.deepEqual(await send(content("refund", "f1", { ref: "b1" })), REJECTED("TRANSACTION_NOT_FOUND"));
  t.deepEqual(await send(content("bet", "b1")), REJECTED("TRANSACTION_REVERSED"));
  t.deepEqual(await send(content("refund", "f1", { ref: "b1" })), REJECTED("TRANSACTION_NOT_FOUND"));
  t.deepEqual(await balance(), ACCEPTED(10_000n));
});

test("the wallet of the documentation pays wins and refunds of a blocked player, and refuses the player's bets", async (t) => {
  const { db, send } = await start(t);
  await send(content("bet", "b1"));
  db.exec("UPDATE players SET blocked = 1");
  t.deepEqual(await send(content("bet", "b2")), REJECTED("PLAYER_BLOCKED"));
  t.deepEqual(await send(content("refund", "f1", { ref: "b1" })), ACCEPTED(10_000n));
  t.deepEqual(await send(content("win", "w1")), ACCEPTED(10_250n));
});

test("the wallet of the documentation reverses a win, even if the balance becomes negative", async (t) => {
  const { db, send } = await start(t);
  await send(content("win", "w1"));
  db.exec("UPDATE players SET balance = 100");
  t.deepEqual(await send(content("rollback", "k1", { ref: "w1" })), ACCEPTED(-150n));
  t.deepEqual(await send(content("rollback", "k2", { ref: "w2" })), REJECTED("TRANSACTION_NOT_FOUND"));
});

test("the wallet of the documentation counts every amount exactly, also in CLP", async (t) => {
  const { send } = await start(t);
  for (const amount of [1n, 29n, 57n, 115n, 999_999_999_999n]) {
    t.deepEqual(await send(content("win", `w${amount}`, { amount })), ACCEPTED(10_000n + amount));
    t.deepEqual(await send(content("rollback", `k${amount}`, { amount, ref: `w${amount}` })), ACCEPTED(10_000n));
  }
  const clp = await start(t, "CLP");
  t.deepEqual(await clp.send(content("bet", "b1", { amount: 1_500n, currency: "CLP" })), ACCEPTED(8_500n));
  t.deepEqual(await clp.send(content("bet", "b2", { currency: "BRL" })), REJECTED("CURRENCY_MISMATCH"));
});

test("the wallet of the documentation answers a wrong signature with 401, and its own faults with 500", async (t) => {
  const { db, walletUrl, send, balance } = await start(t);
  t.deepEqual(await send(content("bet", "b1"), "sk_another"), REJECTED("INVALID_SIGNATURE"));
  t.is((await fetch(walletUrl, { method: "POST", body: "{}" })).status, 401);
  t.deepEqual(await balance(), ACCEPTED(10_000n));
  const { error } = console;
  console.error = () => {};
  t.teardown(() => (console.error = error));
  db.exec("DROP TABLE players");
  t.deepEqual(await send(content("win", "w1")), { kind: "silent" });
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
  const rows = table(page("docs/merchant.md"), "Fields");
  for (const action of ["bet", "win", "refund", "rollback"] as const) {
    const ref = action === "refund" || action === "rollback" ? { ref: "b1" } : {};
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
