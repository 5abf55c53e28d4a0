import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "ava";
import { api } from "../../testbed/callers/description.ts";
import { isInstalled, run } from "../../testbed/programs/toolchain.ts";
import { MERCHANT, startService } from "../../testbed/stage/played-service.ts";
import { descriptionOf, here, outputFolder, pythonWith } from "./support.ts";

const CASES_MIN = 2_000;
/** The time limit. A busy machine needs minutes to generate so many calls. */
const ENDS_WITHIN_MS = 800_000;

interface Report {
  readonly operations: { readonly tested: number };
  /**
   * The phases: examples of the description, boundary values, random values, and calls with values from earlier
   * replies.
   */
  readonly phases: Readonly<Record<string, { readonly status: string }>>;
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly unknown[];
  readonly errors: readonly unknown[];
}

if (!isInstalled("python3")) test.skip("skipped, no Python", (t) => t.pass());
else
  test("schemathesis sends 2 000 calls, right and wrong ones, and every reply is as described", async (t) => {
    const service = await startService(t);
    await service.play(6);
    const folder = await outputFolder("schemathesis");
    await writeFile(join(folder, "openapi.json"), await descriptionOf(service));
    const programs = await pythonWith(here("schemathesis/requirements.txt"), folder);
    const command = {
      program: join(programs, "schemathesis"),
      args: [
        ...["--config-file", here("schemathesis/schemathesis.toml"), "run", "openapi.json"],
        ...["--url", service.origin, "--report-json-path", "report.json"],
      ],
      cwd: folder,
      env: {
        ...{ MERCHANT, SECRET: service.secret, PYTHONDONTWRITEBYTECODE: "1" },
        SCHEMATHESIS_HOOKS: here("schemathesis/hooks.py"),
      },
    };
    await run(command, ENDS_WITHIN_MS);
    const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8")) as Report;
    t.log(`${report.test_cases.generated} calls`);
    t.deepEqual([report.failures, report.errors], [[], []]);
    t.is(report.operations.tested, Object.values(api.paths).flatMap(Object.values).length);
    t.deepEqual(
      Object.values(report.phases).map(({ status }) => status),
      Array(4).fill("success"),
    );
    t.true(report.test_cases.generated >= CASES_MIN, String(report.test_cases.generated));
  });
