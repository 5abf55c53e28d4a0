import { join } from "node:path";
import test from "ava";
import { testKit } from "./support/kit.ts";
import { emptyMariaDb } from "./support/mariadb.ts";
import { packNode } from "./support/node-package.ts";
import { checkReadme } from "./support/readme-code.ts";
import { ROOT } from "./support/toolchain.ts";

let app = "";

testKit({
  folder: "typescript",
  language: "TypeScript",
  programs: ["node", "npm"],
  build: async (into, kit) => {
    app = await packNode(kit, into);
    const example = join(app, "node_modules/game-aggregator-kit/example");
    const database = await emptyMariaDb();
    const env = database === undefined ? {} : { MYSQL_URL: database.url };
    // The machine's own Node may be as old as 20, which has no SQLite: the client runs with it, the wallet does not.
    const own = process.execPath;
    return {
      tests: { program: own, args: ["--test", "test/?*.test.ts"], cwd: kit, env },
      wallet: { program: own, args: [join(example, "wallet.mjs")] },
      client: { program: "node", args: [join(example, "client.mjs")] },
    };
  },
});

test.serial("the README's code fits the types of the TypeScript kit", async (t) => {
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
