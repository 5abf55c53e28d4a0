/**
 * Makes the bill of materials of the packages that run in production, as CycloneDX 1.5, from the lock file. This is own
 * code: `npm sbom --omit=dev` (npm 11) leaves out packages that both production and development need, which are 74 of
 * 172. @cyclonedx/cyclonedx-npm 6 has all packages, but no hashes, because our lock file names no registry. It brings
 * 177 packages (43 MB). @cyclonedx/cyclonedx-library 10 (7 MB) only writes the document, which is the shorter half of
 * this file.
 */
import { type Lock, type LockedPackage, runtimePackages } from "./lock.ts";

export function cycloneDx(lock: Lock, timestamp: string): object {
  const runtime = runtimePackages(lock);
  const project = lock[""] ?? {};
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { timestamp, component: { ...component("", project.name ?? "", project), type: "application" } },
    components: runtime.map(({ path, name }) => component(path, name, lock[path] ?? {})),
    dependencies: ["", ...runtime.map(({ path }) => path)].map((path) => ({
      ref: refOf(path),
      dependsOn: dependsOn(lock, path).map(refOf),
    })),
  };
}

/** The path identifies a package, because two versions of a package may be installed, or the same version twice. */
const refOf = (path: string): string => (path === "" ? "." : path);

const component = (
  path: string,
  name: string,
  { version = "", license = "", integrity = "" }: LockedPackage,
): object => ({
  "bom-ref": refOf(path),
  type: "library",
  name,
  version,
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
  ...(integrity !== "" && {
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") }],
  }),
});

/** The paths of a package's dependencies. Each dependency is in the nearest node_modules that has it, as in Node. */
function dependsOn(lock: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = lock[path] ?? {};
  const names = new Set([dependencies, optionalDependencies, peerDependencies].flatMap((some) => Object.keys(some)));
  return [...names].flatMap((name) => {
    const found = foldersFrom(path).find((folder) => lock[folder + name] !== undefined);
    return found === undefined ? [] : [found + name];
  });
}

/**
 * The folders in which Node searches a dependency. For `a/node_modules/b` these are the node_modules of b, of a, and of
 * the project.
 */
const foldersFrom = (path: string): string[] => {
  const parents =
    path === ""
      ? []
      : path.split("/node_modules/").map((_, i, all) => `${all.slice(0, i + 1).join("/node_modules/")}/node_modules/`);
  return [...parents.reverse(), "node_modules/"];
};
