import { join } from "node:path";
import { run } from "../../testbed/programs/toolchain.ts";
import { testKit } from "./support/kit.ts";

/** All packages of the kit and of its examples. */
const PACKAGES = "aggregator.example/kits/go/...";

// The race detector needs a C compiler.
testKit({
  folder: "go",
  language: "Go",
  programs: ["go", "gcc"],
  async build(into, kit, { mariaDb, postgres }) {
    // The examples are a separate module, because they need database drivers, and the kit itself needs no other module.
    const cwd = join(kit, "example");
    await run({ program: "go", args: ["build", "-o", into, "./wallet", "./client"], cwd });
    // Compiling SQLite with the race detector takes minutes the first time.
    await run({ program: "go", args: ["test", "-race", "-run", "^$", PACKAGES], cwd });
    return {
      tests: {
        program: "go",
        args: ["test", "-race", "-count=1", PACKAGES],
        cwd,
        env: {
          ...(mariaDb !== undefined && { MARIADB_SOCKET: mariaDb.socket }),
          ...(postgres !== undefined && { POSTGRESQL_URL: `${postgres.url}?sslmode=disable` }),
        },
      },
      wallet: { program: join(into, "wallet") },
      client: { program: join(into, "client") },
    };
  },
});
