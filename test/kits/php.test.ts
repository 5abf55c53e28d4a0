import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "ava";
import { freePort } from "../../testbed/programs/ports.ts";
import { isInstalled, ROOT, run, start } from "../../testbed/programs/toolchain.ts";
import { MERCHANT, startService } from "../../testbed/stage/played-service.ts";
import { callback } from "./support/callback.ts";
import { testKit } from "./support/kit.ts";
import { readmeCode } from "./support/readme-code.ts";

const PROGRAMS = ["php", "phpunit", "composer"];

testKit({
  folder: "php",
  language: "PHP",
  programs: PROGRAMS,
  build: async (into, kit, { mariaDb, postgres }) => {
    await install(into, kit);
    // Without PHP's driver for a database, the kit's tests on this database are skipped.
    const available = await run({
      program: "php",
      args: ["-r", `echo implode(" ", PDO::getAvailableDrivers());`],
      cwd: into,
    });
    const drivers = available.split(" ");
    const env = {
      ...(mariaDb !== undefined &&
        drivers.includes("mysql") && {
          MYSQL_DSN: `mysql:unix_socket=${mariaDb.socket};dbname=${mariaDb.name};user=root;charset=utf8mb4`,
        }),
      ...(postgres !== undefined &&
        drivers.includes("pgsql") && {
          PGSQL_DSN: `pgsql:host=${postgres.host};port=${postgres.port};dbname=${postgres.name};user=${postgres.user}`,
        }),
    };
    const example = join(into, "vendor/game-aggregator/kit/example");
    return {
      tests: {
        program: "phpunit",
        args: ["--do-not-cache-result", "--bootstrap", "tests/bootstrap.php", "tests"],
        cwd: kit,
        env,
      },
      wallet: { program: "php", args: [join(example, "wallet.php")] },
      client: { program: "php", args: [join(example, "client.php")] },
    };
  },
});

/** Installs the kit with Composer, without Composer's registry. Asserts that Composer's autoloader loads the kit. */
async function install(into: string, kit: string): Promise<void> {
  const project = {
    repositories: [{ "packagist.org": false }, { type: "path", url: kit, options: { symlink: false } }],
    require: { "game-aggregator/kit": "1.0.0" },
  };
  await writeFile(join(into, "composer.json"), JSON.stringify(project));
  const env = { COMPOSER_HOME: join(into, ".composer"), COMPOSER_ALLOW_SUPERUSER: "1" };
  await run({ program: "composer", args: ["install", "--no-interaction", "--no-progress"], cwd: into, env });
  const code = `require "vendor/autoload.php"; echo GameAggregator\\Kit\\Money::toDecimal(250, "BRL");`;
  const printed = await run({ program: "php", args: ["-r", code], cwd: into });
  if (printed !== "2.50") throw new Error(`Composer's autoloader does not find the kit: ${printed}`);
}

if (PROGRAMS.every(isInstalled))
  test.serial("the code of the PHP README runs: signed calls, a wallet, and the feed", async (t) => {
    t.timeout(120_000);
    const kit = join(ROOT, "kits/php");
    const [calls = "", wallet = "", feed = "", ...others] = await readmeCode(kit, "php");
    t.deepEqual(others, []);
    const folder = await mkdtemp(join(tmpdir(), "kit-"));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const load = `<?php require ${JSON.stringify(join(kit, "autoload.php"))};\n`;
    const save = async (name: string, code: string): Promise<string> => {
      await writeFile(join(folder, name), code);
      return join(folder, name);
    };

    const service = await startService(t);
    await service.play(2);
    const env = { AGGREGATOR_SECRET: service.secret };
    const here = {
      "https://api.aggregator.example": service.origin,
      "acme-br": MERCHANT,
      "u-1": "ana",
      "book-of-x": "fruits",
    };
    const adapted = Object.entries(here).reduce((code, [from, to]) => code.replaceAll(from, to), calls);
    const program = await save("calls.php", load + adapted);
    t.is(await run({ program: "php", args: [program], env }), "BRLACME/fruits Fruits\n");

    const reader = `$stored = null;
      $pdo = new PDO("sqlite::memory:");
      function overwrite($transaction) { echo $transaction->txId, "\\n"; }
      function storeCursor($cursor) { exit(0); }
      ${feed}`;
    const client = adapted.split("\n").slice(0, 3).join("\n");
    const printed = await run({ program: "php", args: [await save("feed.php", `${load}${client}\n${reader}`)], env });
    const changes = (await service.changes()).map(({ tx_id }) => tx_id);
    t.true(changes.length > 2);
    t.deepEqual(printed.trim().split("\n"), changes);

    const database = `sqlite:${join(folder, "wallet.db")}`;
    const mounted = wallet.replace(/new PDO\([^)]*\)/, `new PDO(${JSON.stringify(database)})`);
    const prepared = `
      $storage->createTables();
      $storage->addPlayer("acme-br", "ana", new GameAggregator\\Kit\\Wallet\\Player(10_000));
      Sapi::serve`;
    const script = await save("wallet.php", load + mounted.replace("Sapi::serve", prepared));
    const port = await freePort();
    const secret = { AGGREGATOR_SECRET: "sk_acme" };
    const server = start({ program: "php", args: ["-q", "-S", `127.0.0.1:${port}`, script], env: secret });
    t.teardown(() => server.end("SIGKILL"));
    const url = new URL(`http://127.0.0.1:${port}/wallet`);
    const bet = { action: "bet", tx_id: "ACME:b1", round_id: "r1", amount: 2.5 };
    const asked = () =>
      callback(url, bet, { "X-Signature": "sk_acme" }, { merchant: "acme-br" }).catch(() => undefined);
    let reply = await asked();
    for (let tries = 0; reply === undefined && tries < 250; tries++) {
      await sleep(20);
      reply = await asked();
    }
    t.deepEqual(reply, { status: 200, body: { ok: true, balance: 97.5 } });
  });
