/** npm packages of the kits: built, packed, and installed from the tarball alone. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ROOT, run } from "../../../testbed/programs/toolchain.ts";

/**
 * Builds a package as it is published, and installs its tarball into its own folder. Returns that folder.
 *
 * @param into - an empty folder.
 */
export async function packNode(kit: string, into: string): Promise<string> {
  const source = join(into, "package");
  await cp(kit, source, { recursive: true });
  // tsc compiles the original folder and not the copy, because the paths in tsconfig.json are relative to the
  // repository.
  await run({
    program: join(ROOT, "node_modules/.bin/tsc"),
    args: ["-p", kit, "--outDir", join(source, "dist")],
  });
  const packed = await run({
    program: "npm",
    args: ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", into, source],
    cwd: into,
  });
  const [tarball] = Object.values(JSON.parse(packed) as Record<string, { filename: string }>);
  const files = await run({ program: "tar", args: ["-tzf", join(into, basename(tarball?.filename ?? ""))] });
  if (!files.split("\n").includes("package/LICENSE")) throw new Error(`The package has no LICENSE:\n${files}`);
  const app = join(into, "app");
  await mkdir(app);
  await writeFile(join(app, "package.json"), `{"private":true,"type":"module"}`);
  await run({
    program: "npm",
    args: ["install", "--omit=peer", "--no-audit", "--no-fund", join(into, basename(tarball?.filename ?? ""))],
    cwd: app,
  });
  return app;
}
