import type { Count } from "./orders.ts";

/** The service at a moment. */
export interface State {
  readonly openFiles: number;
  /** Resident memory after a collection, in MiB. */
  readonly residentMib: number;
  /** What lives in it then, in MiB. */
  readonly livingMib: number;
}

/** How somebody else's calls ended. */
export interface Calls {
  /** How long each took that was answered with 200, in milliseconds. */
  readonly answeredMs: readonly number[];
  /** What came instead, and how often. */
  readonly failed: Readonly<Record<string, number>>;
  /** How often OVERLOADED was the answer, and the same was asked again. */
  readonly again: number;
}

export interface Found {
  readonly before: State;
  readonly after: State;
  /** The most open files during the attack. */
  readonly openFilesMost: number;
  readonly residentMostMib: number;
  /** By who made them. */
  readonly calls: Readonly<Record<string, Calls>>;
  readonly attack: Readonly<Record<string, Count>>;
}

/** The limits of growth: after the attack, this many more files may be open, and this much more memory in use. */
export const FILES_MORE = 20;
export const MEMORY_MORE_MIB = 50;

/**
 * The bounds that the run broke, a sentence each.
 * @param connections - hostile ones and others at any time.
 * @param callsDue - the calls that each honest caller should have made.
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
    // Else the check above has nothing to look at.
    if (answeredMs.length < 0.9 * callsDue)
      violations.push(`only ${answeredMs.length} of ${callsDue} calls of ${who} were answered`);
  }
  for (const [kind, { opened, sent }] of Object.entries(attack)) {
    if (opened === 0 || sent === 0) violations.push(`"${kind}" did not attack: ${opened} connections, ${sent} sent`);
  }
  return violations;
}
