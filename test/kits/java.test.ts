/** The Java kit, built by Maven. Its storage is tested on MariaDB and PostgreSQL, too. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, run } from "../../testbed/programs/toolchain.ts";
import { testKit } from "./support/kit.ts";

testKit({
  folder: "java",
  language: "Java",
  programs: ["java", "mvn"],
  async build(into, kit, { mariaDb, postgres }) {
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
        env: {
          PROJECT: ROOT,
          ...(mariaDb !== undefined && {
            MARIADB_JDBC_URL: `jdbc:mariadb://${mariaDb.host}:${mariaDb.port}/${mariaDb.name}?user=root`,
          }),
          ...(postgres !== undefined && {
            POSTGRES_JDBC_URL: `jdbc:postgresql://${postgres.host}:${postgres.port}/${postgres.name}?user=${postgres.user}`,
          }),
        },
      },
      wallet: java("WalletExample"),
      client: java("ClientExample"),
    };
  },
});
