/**
 * `npm run audit:packages`: checks the packages that run in production for known vulnerabilities, and the installed
 * packages for the registry's signatures. The exit code is 1 when there are findings, and 2 when a check was not
 * possible: some registries and mirrors support neither check.
 */
import { spawnSync } from "node:child_process";

const CHECKS = [
  {
    what: "known vulnerabilities",
    args: ["audit", "--omit=dev"],
    answered: /found \d+ vulnerabilit|\d+ (low|moderate|high|critical)/,
  },
  {
    what: "signatures",
    args: ["audit", "signatures"],
    answered: /\bpackages? (have|has) (a )?(verified|invalid|missing)/,
  },
] as const;

const results = CHECKS.map(({ what, args, answered }) => {
  const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  const verdict = answered.test(stdout)
    ? status === 0
      ? "nothing found"
      : "FOUND"
    : "NOT CHECKED: the registry did not answer";
  console.log(`npm ${args.join(" ")} (${what}): ${verdict}`);
  if (verdict !== "nothing found") console.log(`${stdout}${stderr}`.replaceAll(/^/gm, "  "));
  return verdict;
});
process.exit(results.includes("FOUND") ? 1 : results.every((verdict) => verdict === "nothing found") ? 0 : 2);
