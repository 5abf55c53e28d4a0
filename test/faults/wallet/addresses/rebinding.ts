import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Scope } from "../../../../testbed/stage/world.ts";
import { newTally, type Tally } from "../tally.ts";
import { NAMESPACE_COMMANDS } from "./namespace.ts";

/**
 * Names that rebind, in their own network namespace. The programs unshare and ip are part of every Linux distribution
 * (util-linux, iproute2).
 */
export async function rebind(scope: Scope, runs: number): Promise<readonly Tally[]> {
  execFileSync(process.execPath, ["tools/system-packages.mjs", "namespace"], { stdio: "inherit" });
  const script = `${NAMESPACE_COMMANDS} && exec "$0" test/faults/wallet/addresses/rebinding-main.ts ${runs}`;
  const child = spawn("unshare", ["--map-root-user", "--net", "sh", "-ec", script, process.execPath], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  scope.teardown(() => void child.kill("SIGKILL"));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    const failed = newTally("C10", "names that rebind");
    failed.violations.push(`not tried: unshare ended with ${code}; it needs user namespaces, or root`);
    return [failed];
  }
  const tallies = JSON.parse(output) as (Omit<Tally, "outcomes"> & { outcomes: [string, number][] })[];
  return tallies.map((tally) => ({ ...tally, outcomes: new Map(tally.outcomes) }));
}
