import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { isInstalled, run } from "../../testbed/programs/toolchain.ts";
import { startService } from "../../testbed/stage/played-service.ts";
import { assertWalks, descriptionOf, here, outputFolder, pythonWith } from "./support.ts";

/**
 * The maximum number of generated files: one for each schema and each operation, and a few others. If schemas were
 * inlined, there would be hundreds.
 */
const FILES_MAX = 110;

if (!isInstalled("python3")) test.skip("skipped, no Python", (t) => t.pass());
else
  test("openapi-python-client generates a package that mypy accepts, and that reads every row once", async (t) => {
    const service = await startService(t);
    const folder = await outputFolder("python");
    await writeFile(join(folder, "openapi.json"), await descriptionOf(service));
    const programs = await pythonWith(here("python/requirements.txt"), folder);
    const generated = await run({
      program: join(programs, "openapi-python-client"),
      args: ["generate", "--path", "openapi.json", "--output-path", "api", "--meta", "none", "--fail-on-warning"],
      cwd: folder,
      env: { PATH: `${programs}:${process.env.PATH}` },
    });
    t.notRegex(generated, /warning/i);
    for (const file of ["client.py", "mypy.ini"]) await copyFile(here(`python/${file}`), join(folder, file));
    await run({ program: join(programs, "mypy"), args: ["client.py", "api"], cwd: folder });
    const files = (await readdir(join(folder, "api"), { recursive: true })).filter((file) => file.endsWith(".py"));
    t.log(`${files.length} Python files`);
    t.true(files.length <= FILES_MAX, String(files.length));
    await assertWalks(t, service, { program: join(programs, "python"), args: [join(folder, "client.py")] });
  });
