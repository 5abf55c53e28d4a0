/** The Java kit, built by Maven. Its storage is tested on MariaDB and PostgreSQL, too. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { freePort } from "../../testbed/programs/child.ts";
import { testKit } from "./support/kit.ts";
import { emptyPostgres } from "./support/postgres.ts";
import { isInstalled, ROOT, run } from "./support/toolchain.ts";

testKit({
  folder: "java",
  language: "Java",
  programs: ["java", "mvn"],
  async build(into, kit) {
    const isOutput = (path: string): boolean => /[/\\]target$/.test(path);
    await cp(kit, into, { recursive: true, filter: (path) => !isOutput(path) });
    const maven = { program: "mvn", cwd: into };
    await run({ ...maven, args: ["-q", "-B", "-DskipTests", "package"] });
    // Without these options the JVM reads the environment in the terminal's charset.
    const java = (main: string) => ({
      program: "java",
      args: ["-Dfile.encoding=UTF-8", "-cp", join(into, "example/target/example.jar"), `aggregator.example.${main}`],
    });
    return {
      tests: {
        ...maven,
        args: ["-B", "-pl", "kit", "test"],
        env: { PROJECT: ROOT, ...(await mariaDb()), ...(await postgres()) },
      },
      wallet: java("WalletExample"),
      client: java("ClientExample"),
    };
  },
});

let server: DatabaseServer | undefined;
test.after.always(() => server?.stop());

/** The address of a MariaDB. If the program is missing, the kit's own tests of it are skipped. */
async function mariaDb(): Promise<Readonly<Record<string, string>>> {
  if (!isInstalled("mariadbd")) return {};
  const port = await freePort();
  server = await startDatabaseServer(["--skip-networking=OFF", "--bind-address=127.0.0.1", `--port=${port}`]);
  await server.createDatabase("wallet");
  return { MARIADB_JDBC_URL: `jdbc:mariadb://127.0.0.1:${port}/wallet?user=root` };
}

/** The address of a PostgreSQL. If its programs are missing, the kit's own tests of it are skipped. */
async function postgres(): Promise<Readonly<Record<string, string>>> {
  const server = await emptyPostgres();
  if (server === undefined) return {};
  const { host, port, name, user } = server;
  return { POSTGRES_JDBC_URL: `jdbc:postgresql://${host}:${port}/${name}?user=${user}` };
}
