/** The tests that every kit must pass. Each kit's own test file has the commands that build and start the kit. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { type EmptyDatabases, startEmptyDatabases } from "../../../testbed/database/empty-databases.ts";
import { buildFolder, type Command, isInstalled, ROOT, run } from "../../../testbed/programs/toolchain.ts";
import { assertAmounts, assertAnswers } from "./answers.ts";
import { callback, type Signatures } from "./callback.ts";
import { assertCertified } from "./certified.ts";
import { assertClient } from "./client.ts";
import { OPENING_MINOR, startExample } from "./example.ts";
import { assertPlays } from "./play.ts";
import { assertRawBodies, assertRawHeaders } from "./raw-callbacks.ts";
import {
  assertAllowedReplies,
  assertBoundedReplies,
  assertBrokenReplies,
  assertNoRedirects,
  assertRequests,
} from "./unusual-http.ts";

export interface Kit {
  /** The kit's folder in kits/. */
  readonly folder: string;
  /** The language's name in the titles of tests, such as `PHP`. */
  readonly language: string;
  /** The programs that the kit's tests need. */
  readonly programs: readonly string[];
  /** Builds the kit into an empty folder that is not part of the repository. Nothing is written into the kit itself. */
  readonly build: (into: string, kit: string, databases: EmptyDatabases) => Promise<Built>;
}

interface Built {
  /**
   * Runs the kit's own tests. The exit code must be 0. Variables of the environment name the databases that they may
   * empty.
   */
  readonly tests: Command;
  /** Starts the example wallet. */
  readonly wallet: Command;
  /** Runs the client program. */
  readonly client: Command;
}

/** Declares the tests of a kit. If one of its programs is missing, it declares only one skipped test. */
export function testKit({ folder, language, programs, build }: Kit): void {
  if (!programs.every(isInstalled)) {
    test.skip(`skipped, no ${language}`, (t) => t.pass());
    return;
  }
  let built: Built | undefined;
  const parts = (): Built => {
    if (built === undefined) throw new Error("the kit could not be built");
    return built;
  };
  let databases: EmptyDatabases | undefined;
  test.serial.before(async (t) => {
    t.timeout(600_000);
    databases = await startEmptyDatabases();
    built = await build(await buildFolder(folder), join(ROOT, "kits", folder), databases);
  });
  test.after.always(() => databases?.stop());

  test.serial(`the ${language} kit's own tests pass`, async (t) => {
    t.timeout(600_000);
    t.log((await run(parts().tests)).trim().split("\n").slice(-8).join("\n"));
    t.pass();
  });

  test.serial(`the ${language} example wallet passes the certification without a database file`, async (t) => {
    const { url, stop } = await startExample(t, parts().wallet);
    await assertCertified(t, url);
    await stop();
  });

  test.serial(`the ${language} example wallet passes the certification in CLP, which has no decimals`, async (t) => {
    const { url } = await startExample(t, parts().wallet, { currency: "CLP" });
    await assertCertified(t, url, "CLP");
  });

  test.serial(
    `the ${language} example wallet passes the certification with SQLite, and keeps its data after kill -9`,
    async (t) => {
      const database = join(temporaryFolder(t), "wallet.db");
      const first = await startExample(t, parts().wallet, { database });
      await assertCertified(t, first.url);
      const bet = { action: "bet", tx_id: "ACME:b1", round_id: "r1", amount: 2.5 };
      const reply = await callback(first.url, bet, { "X-Signature": "sk_shop" });
      t.deepEqual(reply, { status: 200, body: { ok: true, balance: (OPENING_MINOR - 250) / 100 } });
      await first.kill();
      const second = await startExample(t, parts().wallet, { database });
      t.deepEqual(await callback(second.url, bet, { "X-Signature": "sk_shop" }), reply);
      t.deepEqual(await callback(second.url, { action: "balance" }, { "X-Signature": "sk_shop" }), reply);
      await second.stop();
    },
  );

  test.serial(`the ${language} example wallet accepts both secrets while the secret is being changed`, async (t) => {
    const { url } = await startExample(t, parts().wallet);
    const status = async (signatures: Signatures, merchant = "shop") =>
      (await callback(url, { action: "balance" }, signatures, { merchant })).status;
    t.is(await status({ "X-Signature": "sk_turning_old" }, "turning"), 200);
    t.is(await status({ "X-Signature": "sk_turning_new" }, "turning"), 200);
    t.is(await status({ "X-Signature": "sk_before", "X-Signature-Next": "sk_shop" }), 200);
    t.is(await status({ "X-Signature": "sk_shop", "X-Signature-Next": "sk_after" }), 200);
    t.is(await status({ "X-Signature-Next": "sk_shop" }), 200);
    t.is(await status({ "X-Signature-Next": "sk_before" }), 401);
    t.is(await status({ "X-Signature": "sk_before" }), 401);
    t.is(await status({ "X-Signature": "sk_before", "X-Signature-Next": "sk_after" }), 401);
    t.is(await status({ "X-Signature": "sk_other" }), 401);
  });

  test.serial(`the ${language} example wallet answers wrong callbacks as kits/README.md describes`, async (t) => {
    const { url } = await startExample(t, parts().wallet);
    await assertAnswers(t, url);
  });

  test.serial(`the ${language} example wallet reads each amount exactly, or refuses it`, async (t) => {
    const { url } = await startExample(t, parts().wallet);
    await assertAmounts(t, url);
  });

  test.serial(`the ${language} example wallet takes headers in any case, and none that came twice`, async (t) => {
    t.timeout(120_000);
    const { url } = await startExample(t, parts().wallet);
    await assertRawHeaders(t, url);
  });

  test.serial(`the ${language} example wallet reads bodies in pieces with little memory`, async (t) => {
    t.timeout(300_000);
    const { url, memoryMib } = await startExample(t, parts().wallet);
    await assertRawBodies(t, url, memoryMib);
  });

  test.serial(`the service plays rounds with the ${language} example wallet`, async (t) => {
    t.timeout(120_000);
    const { url } = await startExample(t, parts().wallet);
    await assertPlays(t, url);
  });

  test.serial(`the ${language} client program reads the service's listing and feed`, async (t) => {
    t.timeout(300_000);
    await assertClient(t, parts().client, temporaryFolder(t));
  });

  test.serial(`the ${language} client gets each call's own reply, with interim replies and in pieces`, async (t) => {
    t.timeout(300_000);
    await assertAllowedReplies(t, parts().client);
  });

  test.serial(`the ${language} client never takes the reply to another call, and no reply holds it up`, async (t) => {
    t.timeout(600_000);
    await assertBrokenReplies(t, parts().client);
  });

  test.serial(`the ${language} client follows no redirect, and reads no reply without end`, async (t) => {
    t.timeout(300_000);
    await assertNoRedirects(t, parts().client);
    await assertBoundedReplies(t, parts().client);
  });

  test.serial(
    `the ${language} client's calls have the usual headers, and ids are sent as they are signed`,
    async (t) => {
      t.timeout(600_000);
      await assertRequests(t, parts().client);
    },
  );
}

/** Creates a folder that is removed at the end of the test. */
function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kit-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
