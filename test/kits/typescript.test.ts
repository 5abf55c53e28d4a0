import test from "ava";
import { startMariaDb } from "../../testbed/database/mariadb.ts";
import { testKit } from "./support/kit.ts";
import { packNode } from "./support/node-package.ts";
import { isInstalled } from "./support/toolchain.ts";

testKit({
  folder: "typescript",
  language: "TypeScript",
  programs: ["node", "npm"],
  build: async (into, kit) => {
    const example = `${await packNode(kit, into)}/node_modules/game-aggregator-kit/example`;
    // The machine's own Node may be as old as 20, which has no SQLite: the client runs with it, the wallet does not.
    const own = process.execPath;
    return {
      tests: { program: own, args: ["--test", "test/?*.test.ts"], cwd: kit, env: await databases() },
      wallet: { program: own, args: [`${example}/wallet.mjs`] },
      client: { program: "node", args: [`${example}/client.mjs`] },
    };
  },
});

/** The kit's own tests try MariaDB where there is one. */
async function databases(): Promise<Record<string, string>> {
  if (!isInstalled("mariadbd")) return {};
  const server = await startMariaDb();
  stop = () => server.stop();
  return { MYSQL_URL: await server.createDatabase() };
}

let stop: (() => Promise<void>) | undefined;
test.after.always(() => stop?.());
