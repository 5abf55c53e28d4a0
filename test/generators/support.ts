/** The data that a program with a generated client must read from a real service. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExecutionContext } from "ava";
import { type Command, ROOT, run } from "../../testbed/programs/toolchain.ts";
import { MERCHANT, type Row, type startService } from "../../testbed/stage/played-service.ts";

/** Rows of a page. The history has many more. */
const LIMIT = 7;
const ROUNDS = 30;

/** A file of this folder. */
export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** An empty folder for the files that a tool generates. It is not part of the repository. */
export async function outputFolder(tool: string): Promise<string> {
  const folder = join(ROOT, ".cache/generators", tool);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** A virtual environment of Python with the packages of a requirements file. Returns its folder of programs. */
export async function pythonWith(requirements: string, into: string): Promise<string> {
  await run({ program: "python3", args: ["-m", "venv", join(into, "venv")] });
  const programs = join(into, "venv/bin");
  await run({ program: join(programs, "pip"), args: ["install", "--quiet", "--requirement", requirements] });
  return programs;
}

/** Runs the client for the listing and for the feed, and compares the printed rows with the service. */
export async function assertWalks(t: ExecutionContext, service: Service, client: Command): Promise<void> {
  await service.play(ROUNDS);
  const rows = async (walk: string): Promise<Row[]> => {
    const env = { ...client.env, BASE_URL: service.origin, MERCHANT, SECRET: service.secret, LIMIT: String(LIMIT) };
    const printed = await run({ ...client, args: [...(client.args ?? []), walk], env });
    return printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row);
  };
  const listing = await service.listing();
  t.true(listing.length > 5 * LIMIT, "the listing has several pages");
  t.deepEqual(await rows("transactions"), listing);
  t.deepEqual(await rows("feed"), await service.changes());
}

type Service = Awaited<ReturnType<typeof startService>>;

/** The service's own description, as text. */
export const descriptionOf = async ({ origin }: Service): Promise<string> =>
  (await fetch(`${origin}/openapi.json`)).text();
