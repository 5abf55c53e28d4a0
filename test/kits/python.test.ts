import { join } from "node:path";
import test from "ava";
import { type Command, isInstalled, ROOT, run } from "../../testbed/programs/toolchain.ts";
import { assertCertified } from "./support/certified.ts";
import { startExample } from "./support/example.ts";
import { testKit } from "./support/kit.ts";

const PROGRAMS = ["python3"];
/** Python must not write its cache files into the kit's folder. */
const env = { PYTHONDONTWRITEBYTECODE: "1" };

/** A program of the virtual environment that the kit was installed into. */
const python = (...args: string[]): Command => ({
  program: join(ROOT, ".cache/kits/python/venv/bin/python"),
  args,
  env,
});

testKit({
  folder: "python",
  language: "Python",
  programs: PROGRAMS,
  async build(into, kit, { mariaDb, postgres }) {
    await run({ program: "python3", args: ["-m", "venv", join(into, "venv")] });
    await run(python("-m", "pip", "install", "--quiet", `${kit}[fastapi,mysql,postgresql,test]`));
    const tests = [
      "-m",
      "pytest",
      "--quiet",
      "-p",
      "no:cacheprovider",
      "--rootdir",
      kit,
      "-c",
      join(kit, "pyproject.toml"),
    ];
    return {
      tests: {
        ...python(...tests, join(kit, "tests")),
        env: {
          ...env,
          ...(mariaDb !== undefined && { MARIADB_SOCKET: mariaDb.socket }),
          ...(postgres !== undefined && { POSTGRESQL_URL: postgres.url }),
        },
      },
      wallet: python(join(kit, "example/wallet.py")),
      client: python(join(kit, "example/client.py")),
    };
  },
});

if (PROGRAMS.every(isInstalled))
  test.serial("the Python example wallet under WSGI passes the certification", async (t) => {
    const { url, stop } = await startExample(t, python(join(ROOT, "kits/python/example/wallet_wsgi.py")));
    await assertCertified(t, url);
    await stop();
  });
