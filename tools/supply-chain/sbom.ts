/**
 * `npm run sbom [file]`: writes the bill of materials of the packages that run in production, as CycloneDX, and prints
 * their licences as a table. It needs no registry. The exit code is 1 when a licence isn't on the list of licences.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { cycloneDx } from "./cyclonedx.ts";
import { isAllowed } from "./licences.ts";
import { type Lock, runtimePackages } from "./lock.ts";

const [file = ".cache/sbom.cdx.json"] = process.argv.slice(2);
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Lock };
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(cycloneDx(packages, new Date().toISOString()), null, 2)}\n`);

const runtime = runtimePackages(packages);
console.log("| licence | packages | |\n|---|---|---|");
for (const [licence, some] of [...Map.groupBy(runtime, (one) => one.licence)].sort(
  ([, a], [, b]) => b.length - a.length,
))
  console.log(
    `| ${licence} | ${some.length} | ${isAllowed(licence) ? "" : `not on the list: ${some.map(({ name, version }) => `${name} ${version}`).join(", ")}`} |`,
  );
console.log(`\n${runtime.length} packages run in production: ${file}`);
process.exit(runtime.every(({ licence }) => isAllowed(licence)) ? 0 : 1);
