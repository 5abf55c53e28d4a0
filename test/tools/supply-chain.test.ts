import { readFileSync } from "node:fs";
import test from "ava";
import { cycloneDx } from "../../tools/supply-chain/cyclonedx.ts";
import { isAllowed } from "../../tools/supply-chain/licences.ts";
import { type Lock, runtimePackages } from "../../tools/supply-chain/lock.ts";

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const { packages } = json("package-lock.json") as { readonly packages: Lock };
const installed = Object.entries(packages).filter(([path]) => path !== "");

test("every package of the lock file has its hash, and no fixed registry", (t) => {
  t.true(installed.length > 100);
  t.deepEqual(
    installed.filter(([, { integrity = "" }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)).map(([path]) => path),
    [],
  );
  t.deepEqual(
    installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});

test("no package runs its own script when it is installed", (t) => {
  t.regex(readFileSync(".npmrc", "utf8"), /^ignore-scripts=true$/m);
  t.deepEqual(
    installed
      .filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true)
      .map(([path]) => path),
    ["node_modules/protobufjs"],
    "what has one works without it: one that is new wants a look",
  );
});

test("there are at most 25 direct dependencies, each with one version", (t) => {
  const { dependencies, devDependencies, optionalDependencies } = json("package.json") as Record<
    string,
    Readonly<Record<string, string>>
  >;
  t.true(Object.keys(dependencies ?? {}).length <= 25);
  const versions = [dependencies, devDependencies, optionalDependencies].flatMap((some) => Object.values(some ?? {}));
  t.deepEqual(
    versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test("all packages that run in production have licences that are allowed", (t) => {
  t.deepEqual(
    runtimePackages(packages).filter(({ licence }) => !isAllowed(licence)),
    [],
  );
});

test("an unknown licence is not allowed", (t) => {
  for (const licence of ["MIT", "(Apache-2.0 AND BSD-3-Clause)", "GPL-3.0 OR MIT", "(GPL-2.0 OR ISC)"])
    t.true(isAllowed(licence), licence);
  for (const licence of [
    "GPL-3.0",
    "AGPL-3.0-only",
    "MIT AND GPL-3.0",
    "none",
    "",
    "UNLICENSED",
    "SEE LICENSE IN LICENSE",
    "mit",
    "((MIT))",
  ])
    t.false(isAllowed(licence), licence);
});

test("the bill of materials has every package that runs in production, with its hash, licence and dependencies", (t) => {
  const made = cycloneDx(packages, "2026-01-31T12:00:00.000Z") as {
    readonly components: readonly {
      readonly "bom-ref": string;
      readonly purl: string;
      readonly hashes: readonly { readonly content: string }[];
      readonly licenses: readonly object[];
    }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  const refs = new Set([".", ...made.components.map((one) => one["bom-ref"])]);
  t.is(refs.size, made.components.length + 1);
  t.deepEqual(made.components.length, runtimePackages(packages).length);
  for (const { purl, hashes, licenses } of made.components) {
    t.regex(purl, /^pkg:npm\/[\w.%-]+(\/[\w.-]+)?@\d/);
    t.regex(hashes[0]?.content ?? "", /^[0-9a-f]{128}$/, purl);
    t.is(licenses.length, 1);
  }
  // Each package is a dependency of another one, and all dependencies are in the list.
  const reached = new Set(["."]);
  for (const ref of reached)
    for (const to of made.dependencies.find((one) => one.ref === ref)?.dependsOn ?? [])
      if (refs.has(to)) reached.add(to);
  t.deepEqual(
    [...refs].filter((ref) => !reached.has(ref)),
    [],
  );
  const direct = made.dependencies.find(({ ref }) => ref === ".")?.dependsOn ?? [];
  for (const name of Object.keys(json("package.json").dependencies))
    t.true(direct.includes(`node_modules/${name}`), name);
});
