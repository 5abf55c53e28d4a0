import { execFile } from "node:child_process";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const SOURCE = join(import.meta.dirname, "../wallet");
const ROOT = join(SOURCE, "../..");
const run = promisify(execFile);

/**
 * Packs the npm package as a tarball in a folder. The package is plain JavaScript for Node 20 without dependencies.
 * Returns the tarball's path.
 */
export async function buildPackage(folder: string): Promise<string> {
  const staging = await mkdtemp(join(tmpdir(), "certify-wallet-"));
  try {
    await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", SOURCE, "--outDir", staging]);
    for (const file of ["package.json", "README.md"]) await copyFile(join(SOURCE, file), join(staging, file));
    await copyFile(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    await chmod(join(staging, "wallet/main.js"), 0o755);
    const { stdout } = await run("npm", ["pack", "--json", "--offline", "--pack-destination", folder, staging], {
      cwd: folder,
    });
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { filename: string }>);
    if (packed === undefined) throw new Error(`npm pack said nothing of a file: ${stdout}`);
    return join(folder, packed.filename);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
