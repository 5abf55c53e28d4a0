import type { Count } from "./orders.ts";

/** The service at a moment. */
export interface State {
  readonly openFiles: number;
  /** Resident memory after a collection, in MiB. */
  readonly residentMib: number;
  /** What lives in it then, in MiB. */
  readonly livingMib: number;
}

/** How the calls of another merchant ended. */
export interface Calls {
  /** How long each took that was answered with 200, in milliseconds. */
  readonly answeredMs: readonly number[];
  /** What came instead, and how often. */
  readonly failed: Readonly<Record<string, number>>;
}

export interface Found {
  readonly before: State;
  readonly after: State;
  /** The most open files during the attack. */
  readonly openFilesMost: number;
  readonly residentMostMib: number;
  readonly calls: Calls;
  readonly attack: Readonly<Record<string, Count>>;
}

/** So much more may be open, or in use, when the attackers are gone. */
export const FILES_MORE = 20;
export const MEMORY_MORE_MIB = 50;

/** What must never be and was. @param connections - hostile ones at any time. @param callsDue - of the other merchant. */
export function violationsOf({ before, after, openFilesMost, calls, attack }: Found, connections: number, callsDue: number): string[] {
  const violations: string[] = [];
  const more = (what: string, found: number, was: number, most: number): void => {
    if (!(found - was <= most)) violations.push(`${what}: ${Math.round(found)}, from ${Math.round(was)} before; at most ${most} more`);
  };
  more("open files after the attack", after.openFiles, before.openFiles, FILES_MORE);
  more("open files during the attack", openFilesMost, before.openFiles, connections + FILES_MORE);
  more("MiB of resident memory after the attack and a collection", after.residentMib, before.residentMib, MEMORY_MORE_MIB);
  for (const [what, count] of Object.entries(calls.failed)) violations.push(`${count} calls of another merchant: ${what}`);
  // Else the check above has nothing to look at.
  if (calls.answeredMs.length < 0.9 * callsDue) violations.push(`only ${calls.answeredMs.length} of ${callsDue} calls of another merchant were answered`);
  for (const [kind, { opened, sent }] of Object.entries(attack)) {
    if (opened === 0 || sent === 0) violations.push(`"${kind}" did not attack: ${opened} connections, ${sent} sent`);
  }
  return violations;
}
