/** Which processor core a process runs on, by taskset (util-linux). */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What is measured has one core to itself (the service and its database share it), what stands around it another. */
export interface Cores {
  readonly measured: number;
  readonly around: number;
}

/** undefined: this process has one core alone, so everything shares it. */
export function twoCores(): Cores | undefined {
  const allowed = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
  const [measured, around] = coreList(allowed);
  return measured === undefined || around === undefined ? undefined : { measured, around };
}

/** @param text - as Linux lists them: `0-3,8`. */
export function coreList(text: string): number[] {
  if (text.trim() === "") return [];
  return text.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

/** Every thread of the process, and those that they start. */
export function pin(pid: number, core: number): void {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)], { stdio: "ignore" });
}
