/**
 * The bill of materials of what runs in production, as CycloneDX 1.5 out of the lock file. Not by `npm sbom --omit=dev`: npm 11 leaves out
 * what development needs as well, and so a third of it.
 */
import { type Lock, type LockedPackage, runtimePackages } from "./lock.ts";

export function cycloneDx(lock: Lock, timestamp: string): object {
  const runtime = runtimePackages(lock);
  const project = lock[""] ?? {};
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    ...{ bomFormat: "CycloneDX", specVersion: "1.5", version: 1 },
    metadata: { timestamp, component: { ...component("", project.name ?? "", project), type: "application" } },
    components: runtime.map(({ path, name }) => component(path, name, lock[path] ?? {})),
    dependencies: ["", ...runtime.map(({ path }) => path)].map((path) => ({ ref: refOf(path), dependsOn: dependsOn(lock, path).map(refOf) })),
  };
}

/** Of one package two versions, or the same twice, may be installed: the place is what tells them apart. */
const refOf = (path: string): string => (path === "" ? "." : path);

const component = (path: string, name: string, { version = "", license = "", integrity = "" }: LockedPackage): object => ({
  "bom-ref": refOf(path),
  ...{ type: "library", name, version, purl: `pkg:npm/${name.replace("@", "%40")}@${version}` },
  licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
  ...(integrity !== "" && { hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex") }] }),
});

/** Where a package's dependencies are installed: the nearest node_modules that has each, as Node looks for it. */
function dependsOn(lock: Lock, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = lock[path] ?? {};
  const names = new Set([dependencies, optionalDependencies, peerDependencies].flatMap((some) => Object.keys(some)));
  return [...names].flatMap((name) => {
    const found = placesFrom(path).find((place) => lock[place + name] !== undefined);
    return found === undefined ? [] : [found + name];
  });
}

/** `a/node_modules/b` looks in its own node_modules, in a's and in the project's. */
const placesFrom = (path: string): string[] => {
  const parents = path === "" ? [] : path.split("/node_modules/").map((_, i, all) => `${all.slice(0, i + 1).join("/node_modules/")}/node_modules/`);
  return [...parents.reverse(), "node_modules/"];
};
