import { testKit } from "./support/kit.ts";
import { emptyMariaDb } from "./support/mariadb.ts";
import { packNode } from "./support/node-package.ts";

testKit({
  folder: "typescript",
  language: "TypeScript",
  programs: ["node", "npm"],
  build: async (into, kit) => {
    const example = `${await packNode(kit, into)}/node_modules/game-aggregator-kit/example`;
    const database = await emptyMariaDb();
    const env = database === undefined ? {} : { MYSQL_URL: database.url };
    // The machine's own Node may be as old as 20, which has no SQLite: the client runs with it, the wallet does not.
    const own = process.execPath;
    return {
      tests: { program: own, args: ["--test", "test/?*.test.ts"], cwd: kit, env },
      wallet: { program: own, args: [`${example}/wallet.mjs`] },
      client: { program: "node", args: [`${example}/client.mjs`] },
    };
  },
});
