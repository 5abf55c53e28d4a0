/**
 * `npm run audit:packages`: known vulnerabilities of what runs in production, and the registry's signatures of what is installed. Ends with 1
 * when there are findings, and with 2 when a question could not be asked: some registries and mirrors serve neither, and that is no pass.
 */
import { spawnSync } from "node:child_process";

const QUESTIONS = [
  { asks: "known vulnerabilities", args: ["audit", "--omit=dev"], answered: /found \d+ vulnerabilit|\d+ (low|moderate|high|critical)/ },
  { asks: "signatures", args: ["audit", "signatures"], answered: /\bpackages? (have|has) (a )?(verified|invalid|missing)/ },
] as const;

const results = QUESTIONS.map(({ asks, args, answered }) => {
  const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  const said = answered.test(stdout) ? (status === 0 ? "nothing found" : "FOUND") : "NOT CHECKED: the registry did not answer";
  console.log(`npm ${args.join(" ")} (${asks}): ${said}`);
  if (said !== "nothing found") console.log(`${stdout}${stderr}`.replaceAll(/^/gm, "  "));
  return said;
});
process.exit(results.includes("FOUND") ? 1 : results.every((said) => said === "nothing found") ? 0 : 2);
