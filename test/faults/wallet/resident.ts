import { readFileSync } from "node:fs";

const EVERY_MS = 50;

/** Watches the resident memory of a process. */
export function watchResident(pid: number): { readonly beforeMb: number; stop(): number } {
  const now = (): number =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  const beforeMb = now();
  let peakMb = beforeMb;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, now());
  }, EVERY_MS);
  return {
    beforeMb,
    stop: () => {
      clearInterval(timer);
      return Math.max(peakMb, now());
    },
  };
}
