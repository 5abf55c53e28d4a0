/**
 * Every secret contains a special text. The test uses all functions of the service, and then searches the database, the
 * logs and the metrics for these texts.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { startWallet } from "../../sandbox/merchant/wallet.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { adminOf, inPieces, refusalOf } from "../../testbed/callers/administration.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { startGameService } from "../../testbed/provider/game-service.ts";
import { LOCAL_WALLETS } from "../../testbed/service/environment.ts";
import { Replica } from "../../testbed/service/replica.ts";
import { onBothDatabases } from "../administration/databases.ts";

const test = onBothDatabases();

/** Every value of every table as text; bytes as hex and as text. */
async function dump(url: string): Promise<string> {
  const database = openDatabase(url);
  try {
    const listing =
      database.dialect.name === "mysql"
        ? "SHOW TABLES"
        : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    const found = await database.knex.raw(listing);
    const tables = (database.dialect.name === "mysql" ? found[0] : found).map(
      (row: Record<string, string>) => Object.values(row)[0] ?? "",
    );
    const texts: string[] = [];
    for (const table of tables) {
      for (const row of await database.knex(table)) {
        for (const value of Object.values(row))
          texts.push(Buffer.isBuffer(value) ? `${value.toString("hex")} ${value.toString("latin1")}` : String(value));
      }
    }
    return texts.join("\n");
  } finally {
    await database.close();
  }
}

/** The forms that a stored secret might have. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret.replace(/^sk_/, ""), "base64");
  const raw = [bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  return [
    secret,
    Buffer.from(secret).toString("hex"),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    ...raw.filter((text) => text.length >= 20),
  ];
}

test("the database, the logs and the metrics of a used service contain no secret", async (t, url) => {
  const [masterKey, nextMasterKey, jwtKey, adminKey] = Array.from({ length: 4 }, () =>
    randomBytes(32).toString("base64"),
  );
  const secrets = new Map<string, readonly string[]>();
  const signatures: string[] = [];
  const wallet = await startWallet({
    secretsOf: (code) => secrets.get(code) ?? [],
    onCallback: ({ headers }) => signatures.push(String(headers["x-signature"]), String(headers["x-nonce"])),
  });
  const provider = await startGameService([]);
  t.teardown(async () => {
    provider.close();
    await wallet.close();
  });
  wallet.ledger.addMerchant("casa", "BRL");
  wallet.ledger.addPlayer("casa", "ana", 10_000n);
  const replica = await Replica.start(
    {
      ENVIRONMENT: "staging",
      DRAIN_DELAY_MS: "0",
      HOST: "127.0.0.1",
      DATABASE_URL: url,
      MASTER_KEY: `${nextMasterKey},${masterKey}`,
      JWT_KEY: jwtKey ?? "",
      ADMIN_KEY: adminKey ?? "",
      ...LOCAL_WALLETS,
      PROVIDER_ALLOW_PRIVATE: "true",
      WALLET_TIMEOUT_MS: "500",
    },
    ["--migrate"],
  );
  t.teardown(() => void replica.process.kill("SIGKILL"));
  const shown: string[] = [masterKey, nextMasterKey, jwtKey, adminKey].filter((key) => key !== undefined);
  const keep = (text: string): string => {
    shown.push(text);
    return text;
  };

  const admin = adminOf({ ports: replica.ports }, adminKey);
  await admin.brands.createBrand({ code: "house" });
  const firstKey = keep((await admin.providers.createProvider({ code: "ACME" })).key);
  await admin.providers.addSource({ code: "ACME", address: `http://127.0.0.1:${provider.port}` });
  await admin.catalog.importGames(
    inPieces(JSON.stringify([{ provider: "ACME", code: "fruits", name: "Fruits", type: "slot" }]), "json"),
  );
  const made = await admin.merchants.createMerchant({
    code: "casa",
    currency: "BRL",
    brand: "house",
    products: ["slot"],
    walletUrl: wallet.url,
  });
  secrets.set("casa", [keep(made.secret)]);
  const opsKey = keep((await admin.keys.createKey({ role: "manager", name: "ops" })).key);
  const apiKey = keep((await admin.keys.createKey({ provider: "ACME", name: "live" })).key);

  const rest = `http://127.0.0.1:${replica.ports.rest}`;
  const sign = (secret: string, method: "GET" | "POST", target: string, payload?: unknown) =>
    signedCall(rest, { code: "casa", secret }, method, target, payload);
  const launch = await sign(made.secret, "POST", "/v1/game/launch", { player_id: "ana", game: "fruits" });
  const sessionId = launch.ok
    ? (new URL((launch.data as { launch_url: string }).launch_url).searchParams.get("s") ?? "")
    : "";
  t.not(sessionId, "");
  const provided = createClient(
    WalletService,
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${replica.ports.grpc}` }),
  );
  const bet = async (txId: string, key: string): Promise<unknown> => {
    const options = { headers: { authorization: `Bearer ${key}` }, timeoutMs: 5_000 };
    try {
      return await provided.placeBet({ sessionId, txId, roundId: "r", amountMinor: 100n, currency: "BRL" }, options);
    } catch (cause) {
      // Other work on the machine may cause OVERLOADED. Such a call is repeated.
      if (!String(cause).includes("OVERLOADED")) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return bet(txId, key);
    }
  };
  await bet("b1", apiKey);
  await bet("b2", firstKey);

  // Makes every kind of error, so that its log line is searched, too.
  for (const kind of ["silent", "http_500", "garbage", "reset"] as const) {
    wallet.setFault({ kind });
    await bet(kind, apiKey);
  }
  wallet.setFault({ kind: "none" });
  await t.throwsAsync(bet("b3", `${apiKey}x`));
  t.false((await sign(`${made.secret}x`, "GET", "/v1/merchant")).ok);
  t.is(await refusalOf(adminOf({ ports: replica.ports }, `${opsKey}x`).brands.listBrands({})), "INVALID_API_KEY");
  t.is(await refusalOf(adminOf({ ports: replica.ports }, opsKey).keys.rotateMasterKey({})), "ROLE_NOT_ALLOWED");
  t.is(
    await refusalOf(admin.merchants.setMerchant({ code: "casa", walletUrl: "https://user:password@wallet.example/" })),
    "VALIDATION_ERROR wallet_url reason",
  );
  const rotated = keep((await admin.merchants.rotateSecret({ code: "casa", reason: "leaked" })).secret);
  secrets.set("casa", [rotated]);
  t.true((await sign(rotated, "GET", "/v1/merchant")).ok);
  t.false((await sign(made.secret, "GET", "/v1/merchant")).ok);
  keep((await admin.providers.rotateProviderKey({ code: "ACME", reason: "test" })).key);
  await admin.keys.revokeKey({ name: "ops", reason: "test" });
  await admin.keys.rotateMasterKey({ reason: "yearly" });
  await admin.transactions.getTransaction({ merchant: "casa", txId: "ACME:b1" });
  const metrics = await (await fetch(`http://127.0.0.1:${replica.ports.internalHttp}/metrics`)).text();
  const rows = await dump(url);
  replica.process.kill("SIGTERM");
  await new Promise((resolve) => replica.process.once("close", resolve));
  const logs = replica.output();
  const files = url.startsWith("sqlite:") ? readFileSync(url.slice("sqlite:".length)).toString("latin1") : "";

  t.true(rows.includes("merchant rotate-secret") && rows.includes("ana"), "the dump has what was done");
  t.true(metrics.includes("# HELP"));
  t.is(shown.length, 10);
  // With a session's id a provider can move the player's money, so the id is a secret. It is searched as text and as
  // bytes.
  for (const [place, text] of Object.entries({ logs, metrics, rows, files })) {
    for (const form of [sessionId, Buffer.from(sessionId, "hex").toString("latin1")])
      t.false(text.includes(form), `${place} hold the session's id`);
  }
  for (const [place, text] of Object.entries({ logs, metrics, rows, files })) {
    for (const secret of shown)
      for (const form of formsOf(secret)) t.false(text.includes(form), `${place} hold ${form}`);
  }
  t.true(signatures.length > 4);
  for (const text of [logs, metrics])
    for (const signature of signatures) t.false(text.includes(signature), "a signature or nonce was logged");
  t.false(logs.includes("user:password"));
});
