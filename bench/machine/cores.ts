/** Pins processes to processor cores with taskset (util-linux). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** One core for the measured processes (the service and its database), and another for the processes around them. */
export interface Cores {
  readonly measured: number;
  readonly around: number;
}

/** undefined: this process may use only one core, so all processes share it. */
export function twoCores(): Cores | undefined {
  const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const [measured, around] = coreList(allowed);
  return measured === undefined || around === undefined ? undefined : { measured, around };
}

/** @param text - a list in Linux' form: `0-3,8`. */
export function coreList(text: string): number[] {
  if (text.trim() === "") return [];
  return text.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** Pins every thread of the process. Threads that start later inherit the core. */
export function pin(pid: number, core: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}
