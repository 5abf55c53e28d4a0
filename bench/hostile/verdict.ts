import type { Count } from "./orders.ts";

/** The state of the service at a moment. */
export interface State {
  readonly openFiles: number;
  /** Resident memory after a garbage collection, in MiB. */
  readonly residentMib: number;
  /** The memory of live objects after the garbage collection, in MiB. */
  readonly livingMib: number;
}

/** The results of the legitimate callers' calls. */
export interface Calls {
  /** The duration of each call that was answered with 200, in milliseconds. */
  readonly answeredMs: readonly number[];
  /** The number of each other result. */
  readonly failed: Readonly<Record<string, number>>;
  /** The number of calls that got OVERLOADED and were repeated. */
  readonly again: number;
}

export interface Found {
  readonly before: State;
  readonly after: State;
  /** The highest number of open files during the attack. */
  readonly openFilesMost: number;
  readonly residentMostMib: number;
  /** The calls of each legitimate caller. */
  readonly calls: Readonly<Record<string, Calls>>;
  readonly attack: Readonly<Record<string, Count>>;
}

/** The limits of growth after the attack: this many more open files, and this much more memory. */
export const FILES_MORE = 20;
export const MEMORY_MORE_MIB = 50;

/**
 * The limits that the run exceeded, each as a sentence.
 * @param connections - the number of connections at any time, hostile and legitimate.
 * @param callsDue - the number of calls that each legitimate caller should have made.
 */
export function violationsOf(
  { before, after, openFilesMost, calls, attack }: Found,
  connections: number,
  callsDue: number,
): string[] {
  const violations: string[] = [];
  const more = (what: string, found: number, was: number, most: number): void => {
    if (!(found - was <= most))
      violations.push(`${what}: ${Math.round(found)}, from ${Math.round(was)} before; at most ${most} more`);
  };
  more("open files after the attack", after.openFiles, before.openFiles, FILES_MORE);
  more("open files during the attack", openFilesMost, before.openFiles, connections + FILES_MORE);
  more(
    "MiB of resident memory after the attack and a collection",
    after.residentMib,
    before.residentMib,
    MEMORY_MORE_MIB,
  );
  for (const [who, { answeredMs, failed }] of Object.entries(calls)) {
    for (const [what, count] of Object.entries(failed)) violations.push(`${count} calls of ${who}: ${what}`);
    // With fewer answers, the check above would have no meaning.
    if (answeredMs.length < 0.9 * callsDue)
      violations.push(`only ${answeredMs.length} of ${callsDue} calls of ${who} were answered`);
  }
  for (const [kind, { opened, sent }] of Object.entries(attack)) {
    if (opened === 0 || sent === 0) violations.push(`"${kind}" did not attack: ${opened} connections, ${sent} sent`);
  }
  return violations;
}
