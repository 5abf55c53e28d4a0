import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { isInstalled, run } from "../../testbed/programs/toolchain.ts";
import { startService } from "../../testbed/stage/played-service.ts";
import { assertWalks, descriptionOf, here, outputFolder } from "./support.ts";

const LINES_MAX = 14_000;

if (!isInstalled("go")) test.skip("skipped, no Go", (t) => t.pass());
else
  test("oapi-codegen with its default options generates Go code that compiles, with the wallet's callbacks, and that reads every row once", async (t) => {
    const service = await startService(t);
    const folder = await outputFolder("go");
    for (const file of ["go.mod", "go.sum", "main.go"]) await copyFile(here(`go/${file}`), join(folder, file));
    await writeFile(join(folder, "openapi.json"), await descriptionOf(service));
    await mkdir(join(folder, "api"));
    const go = (...args: string[]) => run({ program: "go", args, cwd: folder });
    const code = await go("tool", "oapi-codegen", "-package", "api", "openapi.json");
    await writeFile(join(folder, "api/api.gen.go"), code);
    const lines = code.split("\n").length;
    t.log(`${lines} lines of Go`);
    t.true(lines <= LINES_MAX, String(lines));
    await go("vet", "./...");
    await go("build", "-o", "client", ".");
    for (const callback of ["WalletBalance", "WalletBet", "WalletWin", "WalletRefund", "WalletRollback"]) {
      t.regex(code, new RegExp(`^type ${callback} struct`, "m"));
      t.regex(code, new RegExp(`Handle${callback}Callback\\(`), `a handler of ${callback}`);
    }
    t.regex(await readFile(join(folder, "go.mod"), "utf8"), /oapi-codegen\/v2 v2/);
    await assertWalks(t, service, { program: join(folder, "client") });
  });
