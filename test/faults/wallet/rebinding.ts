import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Scope } from "../../harness/world.ts";
import { NAMESPACE_COMMANDS } from "./namespace.ts";
import type { Tally } from "./tally.ts";

/** Names that rebind, in a network namespace of their own (unshare and ip are part of every Linux distribution: util-linux, iproute2). */
export async function rebind(scope: Scope, runs: number): Promise<readonly Tally[]> {
  const script = `${NAMESPACE_COMMANDS} && exec "$0" test/faults/wallet/rebinding-main.ts ${runs}`;
  const child = spawn("unshare", ["--map-root-user", "--net", "sh", "-ec", script, process.execPath], { stdio: ["ignore", "pipe", "inherit"] });
  scope.teardown(() => void child.kill("SIGKILL"));
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error(`names were not rebound: unshare ended with ${code}`);
  const tallies = JSON.parse(output) as (Omit<Tally, "became"> & { became: [string, number][] })[];
  return tallies.map((tally) => ({ ...tally, became: new Map(tally.became) }));
}
