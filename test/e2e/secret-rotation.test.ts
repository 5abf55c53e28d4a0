/** Bets and calls continue during a full rotation of a merchant's secret, and neither side refuses any of them. */
import { setTimeout } from "node:timers/promises";
import { durationFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import test, { type ExecutionContext } from "ava";
import { checkSignature } from "../../sandbox/merchant/signature.ts";
import type { Callback } from "../../sandbox/merchant/wallet.ts";
import { ADMIN_KEY, adminOf } from "../../testbed/callers/administration.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { startWorld } from "../../testbed/stage/world.ts";

let server: DatabaseServer;
test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(() => server.stop());

const DATABASES = { SQLite: async () => ({}), MariaDB: async () => ({ databaseUrl: await server.createDatabase() }) };

const CODE = "shop-brl";
const LIMITS = { catalogRate: 10_000 };

/**
 * A merchant with two servers that call the service, and a wallet. Bets and signed calls run from the start until
 * `end`, which returns the refused bets and calls.
 */
async function busyMerchant(t: ExecutionContext, databaseUrl: { databaseUrl?: string }) {
  const world = await startWorld(t, { ...databaseUrl, env: { ADMIN_KEY } });
  // SQLite supports only one process.
  const replicas = databaseUrl.databaseUrl === undefined ? [world.first] : [world.first, await world.start()];
  const { merchants } = adminOf(world.first);
  await merchants.setMerchant({ code: CODE, limits: LIMITS });
  const old = world.secrets.get(CODE) ?? "";
  const servers = [old, old];
  const sessionId = await world.session();
  const refused: string[] = [];
  const done = { bets: 0, calls: 0 };
  let running = true;
  const bets = async (replica: (typeof replicas)[number], nr: number) => {
    while (running) {
      const txId = `b${nr}-${done.bets++}`;
      const result = await world.request("bet", { sessionId, txId, amountMinor: 1n }, replica);
      if (result !== "success") refused.push(`bet: ${result}`);
      await setTimeout(20);
    }
  };
  const calls = async (nr: number) => {
    while (running) {
      const { ports } = replicas[done.calls++ % replicas.length] ?? world.first;
      const secret = servers[nr] ?? "";
      const reply = await signedCall(`http://127.0.0.1:${ports.rest}`, { code: CODE, secret }, "GET", "/v1/merchant");
      if (!reply.ok) refused.push(`call of server ${nr}: ${reply.code}`);
      // The pause is needed because one address may make only 200 calls a second.
      await setTimeout(50);
    }
  };
  const loops = [...replicas.map(bets), calls(0), calls(1)];
  return {
    merchants,
    old,
    servers,
    callbacks: world.callbacks,
    wallet: (...secrets: readonly string[]) => void world.walletSecrets.set(CODE, secrets),
    /** Waits until some more bets and calls were made. */
    async more() {
      const { bets: b, calls: c } = done;
      while (done.bets < b + 10 || done.calls < c + 10) await setTimeout(5);
    },
    async end() {
      running = false;
      await Promise.all(loops);
      const wrong = world.callbacks.filter(({ signature }) => signature !== "ok");
      return [...refused, ...wrong.map(({ signature }) => `callback: ${signature}`)];
    },
  };
}

const reason = "yearly rotation";
const overlap = durationFromMs(3_600_000);

/** Which secrets signed a callback: `old`, `new` or `old+new`. */
function signers({ headers, target, body, at }: Callback, names: Readonly<Record<string, string>>): string {
  const fits = (header: string) => {
    const one = { ...headers, "x-signature": headers[header], "x-signature-next": undefined };
    const callback = { method: "POST", target, headers: one, body: Buffer.from(body) };
    return Object.keys(names).find((name) => checkSignature([names[name] ?? ""], callback, at) === "ok");
  };
  const next = headers["x-signature-next"] === undefined ? [] : [fits("x-signature-next")];
  return [fits("x-signature"), ...next].join("+");
}

for (const [name, database] of Object.entries(DATABASES)) {
  test(`${name}: during a rotation that is finished no bet and no call is refused, whichever side changes its secret first`, async (t) => {
    const casa = await busyMerchant(t, await database());
    await casa.more();
    const { secret } = await casa.merchants.rotateSecret({ code: CODE, reason, overlap });
    casa.servers[0] = secret;
    await casa.more();
    // The wallet changes from the old to the new secret at once. It accepts callbacks because of X-Signature-Next.
    casa.wallet(secret);
    await casa.more();
    casa.servers[1] = secret;
    await casa.more();
    await casa.merchants.finishRotation({ code: CODE, reason });
    await setTimeout(1_100);
    await casa.more();
    t.deepEqual(await casa.end(), []);
    const kinds = casa.callbacks.map((callback) => signers(callback, { old: casa.old, new: secret }));
    t.deepEqual(new Set(kinds), new Set(["old", "old+new", "new"]));
    t.is(kinds.at(-1), "new");
  });

  test(`${name}: during a rotation whose overlap ends by itself no bet and no call is refused`, async (t) => {
    const casa = await busyMerchant(t, await database());
    const made = await casa.merchants.rotateSecret({ code: CODE, reason, overlap: durationFromMs(10_000) });
    // Both sides change at once, so that even a busy machine finishes before the overlap ends.
    casa.wallet(casa.old, made.secret);
    casa.servers.fill(made.secret);
    const endsAt = timestampMs(made.merchant?.rotationEndsAt ?? t.fail());
    await setTimeout(Math.max(0, endsAt + 1_100 - Date.now()));
    casa.wallet(made.secret);
    await casa.more();
    t.deepEqual(await casa.end(), []);
    const kinds = casa.callbacks.map((callback) => signers(callback, { old: casa.old, new: made.secret }));
    t.true(kinds.includes("old+new"));
    t.is(kinds.at(-1), "new");
  });

  test(`${name}: during a rotation that is cancelled no bet and no call is refused`, async (t) => {
    const casa = await busyMerchant(t, await database());
    const { secret } = await casa.merchants.rotateSecret({ code: CODE, reason, overlap });
    casa.servers[0] = secret;
    casa.wallet(casa.old, secret);
    await casa.more();
    casa.servers[0] = casa.old;
    // After this, a call that was signed with the new secret has its reply.
    await casa.more();
    await casa.merchants.cancelRotation({ code: CODE, reason });
    await setTimeout(1_100);
    casa.wallet(casa.old);
    await casa.more();
    t.deepEqual(await casa.end(), []);
    t.is(signers(casa.callbacks.at(-1) ?? t.fail(), { old: casa.old, new: secret }), "old");
  });
}
