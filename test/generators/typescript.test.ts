import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { isInstalled, run } from "../../testbed/programs/toolchain.ts";
import { startService } from "../../testbed/stage/played-service.ts";
import { assertWalks, descriptionOf, here, outputFolder } from "./support.ts";

const FILES = ["package.json", "package-lock.json", "tsconfig.json", "client.ts"];

if (!isInstalled("npm")) test.skip("skipped, no npm", (t) => t.pass());
else
  test("openapi-typescript generates types that tsc accepts, and a client with these types reads every row once", async (t) => {
    const service = await startService(t);
    const folder = await outputFolder("typescript");
    for (const file of FILES) await copyFile(here(`typescript/${file}`), join(folder, file));
    await writeFile(join(folder, "openapi.json"), await descriptionOf(service));
    await run({ program: "npm", args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd: folder });
    const node = (module: string, ...args: string[]) =>
      run({ program: process.execPath, args: [join(folder, "node_modules", module), ...args], cwd: folder });
    await node("openapi-typescript/bin/cli.js", "openapi.json", "--output", "api.ts");
    await node("typescript/bin/tsc", "-p", ".");
    await assertWalks(t, service, { program: process.execPath, args: [join(folder, "client.ts")] });
  });
