/** The resources that a process uses, from Linux' /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ. Linux fixes it at 100 for all values in /proc. */
const TICK_US = 10_000;

/** CPU time of all threads so far, user and system, in microseconds (steps of 10 ms). */
export function cpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the name in parentheses, which may have any character. utime and stime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Resident memory in bytes: the present value, and the highest since the process began. */
export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1_024;
  return { now: kibibytes("VmRSS"), peak: kibibytes("VmHWM") };
}

/** The number of open file handles, including sockets. */
export const openHandles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
