/** A restore of an older database: the service has lost transactions that the wallet still has. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { reconcile } from "../../reconcile/reconcile.ts";
import { ledgerCsv } from "../../sandbox/merchant/ledger-csv.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { startWorldOfProcesses } from "../../testbed/stage/world.ts";

const MERCHANT = "shop-brl";
const OPENING_MINOR = 10_000n;

test("after a restore of an older database every repeat gets its result without a second effect, and reconciliation lists the lost transactions", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const world = await startWorldOfProcesses(t);
  const sessionId = await world.session();
  t.is(await world.request("bet", { sessionId, txId: "b1", amountMinor: 1_000n }), "success");
  t.is(await world.request("bet", { sessionId, txId: "b2", amountMinor: 1_000n }), "success");
  const backup = join(folder, "backup.db");
  await world.database.knex.raw("VACUUM INTO ?", [backup]);

  // The restore will lose these: a bet and its win, a refund of an earlier bet, a rejection, and a session.
  const lost = [
    ["bet", { txId: "b3", amountMinor: 500n }, "success"],
    ["win", { txId: "w3", amountMinor: 700n }, "success"],
    ["refund", { txId: "f1", refTxId: "b1", amountMinor: 1_000n }, "success"],
    ["bet", { txId: "b4", amountMinor: 1_000_000n }, "failed:INSUFFICIENT_FUNDS"],
  ] as const;
  for (const [action, fields, expected] of lost) t.is(await world.request(action, { sessionId, ...fields }), expected);
  const lostSession = await world.session();
  const credentials = { code: MERCHANT, secret: world.secrets.get(MERCHANT) ?? "" };
  const feed = async (restPort: number, query: string) => {
    const reply = await signedCall(`http://127.0.0.1:${restPort}`, credentials, "GET", `/v1/transactions?${query}`);
    if (!reply.ok) throw new Error(reply.code);
    const { items, next_cursor } = reply.data as { items: { tx_id: string; status: string }[]; next_cursor: string };
    return {
      changes: items.map(({ tx_id, status }) => `${tx_id} ${status}`),
      cursor: `cursor=${encodeURIComponent(next_cursor)}`,
    };
  };
  // The merchant has read all of these changes in the feed.
  const since = "updated_since=2026-01-01T00:00:00Z";
  let read = await feed(world.first.ports.rest, since);
  while (read.changes.length < 6) read = await feed(world.first.ports.rest, since);
  const balance = OPENING_MINOR - 1_000n - 500n + 700n;
  t.is(world.balance(), balance);
  world.first.process.kill("SIGKILL");

  // As in docs/deployment.md, the numbers of the feed continue far above the numbers that merchants have read.
  const database = openDatabase(`sqlite:${backup}`);
  await database.knex.raw(
    "INSERT INTO feed_head (merchant_id, seq) SELECT id, 1000000000 FROM merchants WHERE true ON CONFLICT (merchant_id) DO UPDATE SET seq = feed_head.seq + 1000000000",
  );
  await database.close();
  const restored = await world.start({ DATABASE_URL: `sqlite:${backup}` });
  const ledger = join(folder, "ledger.csv");
  writeFileSync(ledger, ledgerCsv(world.wallet.ledger.effects, MERCHANT, "BRL"));
  const compare = async () => {
    const merchant = {
      apiUrl: `http://127.0.0.1:${restored.ports.rest}`,
      merchant: MERCHANT,
      secret: credentials.secret,
    };
    using found = await reconcile(merchant, ledger, { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 });
    return [...found.differences()].map(({ kind, txId }) => `${kind} ${txId}`);
  };
  t.deepEqual((await compare()).sort(), ["missing_here ACME:b3", "missing_here ACME:f1", "missing_here ACME:w3"]);
  t.is(
    await world.request("win", { sessionId: lostSession, txId: "w5", amountMinor: 100n }, restored),
    "SESSION_NOT_FOUND",
  );

  for (const [action, fields, expected] of lost)
    t.is(await world.request(action, { sessionId, ...fields }, restored), expected);
  t.is(world.balance(), balance);
  t.is(new Set(world.wallet.ledger.effects.map(({ txId }) => txId)).size, world.wallet.ledger.effects.length);
  t.deepEqual(await compare(), []);
  const after = new Set<string>();
  for (
    let { cursor } = read;
    !lost.every(([, { txId }]) => [...after].some((change) => change.startsWith(`ACME:${txId} `)));
  ) {
    const page = await feed(restored.ports.rest, cursor);
    for (const change of page.changes) after.add(change);
    cursor = page.cursor;
  }
  // The feed may repeat rows that had no number yet in the backup.
  for (const [, { txId }, expected] of lost) t.true(after.has(`ACME:${txId} ${expected.split(":")[0]}`), txId);
});
