import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Replica } from "./replica.ts";

const ESTABLISHED = "01";

/** The process ids of a supervisor's workers, from Linux' /proc. */
export function workersOf({ process }: Replica): number[] {
  return readdirSync(`/proc/${process.pid}/task`)
    .flatMap((thread) => readFileSync(`/proc/${process.pid}/task/${thread}/children`, "utf8").split(" "))
    .filter((pid) => pid !== "")
    .map(Number)
    .sort((a, b) => a - b);
}

/** The number of open connections to a local port that this process has accepted. */
export function connectionsOf(pid: number, port: number): number {
  const inodes = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, local = "", , state]) => state === ESTABLISHED && Number.parseInt(local.split(":")[1] ?? "", 16) === port,
      )
      .map((fields) => `socket:[${fields[9]}]`),
  );
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => inodes.has(targetOf(`${folder}/${fd}`))).length;
}

/** The target of a link; empty when the file was closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}
