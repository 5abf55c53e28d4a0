import { join } from "node:path";
import test from "ava";
import { ROOT } from "../../testbed/programs/toolchain.ts";
import { testKit } from "./support/kit.ts";
import { packNode } from "./support/node-package.ts";
import { checkReadme } from "./support/readme-code.ts";

let app = "";

testKit({
  folder: "typescript",
  language: "TypeScript",
  programs: ["node", "npm"],
  build: async (into, kit, { mariaDb, postgres }) => {
    app = await packNode(kit, into);
    const example = join(app, "node_modules/game-aggregator-kit/example");
    const env = {
      ...(mariaDb !== undefined && { MYSQL_URL: `mysql://root@${mariaDb.host}:${mariaDb.port}/${mariaDb.name}` }),
      ...(postgres !== undefined && { POSTGRESQL_URL: postgres.url }),
    };
    // The machine's own Node may be version 20, which has no SQLite. So only the client runs with it. The wallet runs
    // with the tests' Node.
    const own = process.execPath;
    return {
      tests: { program: own, args: ["--test", "test/?*.test.ts"], cwd: kit, env },
      wallet: { program: own, args: [join(example, "wallet.mjs")] },
      client: { program: "node", args: [join(example, "client.mjs")] },
    };
  },
});

test.serial("the code of the README fits the types of the TypeScript kit", async (t) => {
  const readers = `
    import type { AggregatorClient, Transaction } from "game-aggregator-kit";
    declare global {
      const client: AggregatorClient;
      const stored: string | undefined;
      const yourDatabase: { transaction(work: () => Promise<void>): Promise<void> };
      function overwrite(transaction: Transaction): Promise<void>;
      function storeCursor(cursor: string): Promise<void>;
    }`;
  t.is(await checkReadme(join(ROOT, "kits/typescript"), app, readers), 3);
});
