import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testKit } from "./support/kit.ts";
import { emptyMariaDb } from "./support/mariadb.ts";
import { run } from "./support/toolchain.ts";

testKit({
  folder: "php",
  language: "PHP",
  programs: ["php", "phpunit", "composer"],
  build: async (into, kit) => {
    await install(into, kit);
    const database = await emptyMariaDb();
    const dsn = `mysql:unix_socket=${database?.socket};dbname=${database?.name};user=root;charset=utf8mb4`;
    const env = database === undefined ? {} : { MYSQL_DSN: dsn };
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

/** By Composer, without its registry; and it can be used by Composer's autoloader. */
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
