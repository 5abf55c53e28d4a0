import { integer, text } from "../arguments/flag.ts";

export const reason = text("text", "The reason, for the audit log", "'asked for by the operator'");
export const cursor = text("cursor", "The next_cursor of the previous page", "eyJjIjoic2hvcCJ9");
export const limit = (standard: number, max: number) =>
  integer(`The maximum number of lines, 1 to ${max}; ${standard} by default`, 20, 1, max);

/**
 * Checks that a command line has at least one flag that changes something. Flags such as --code and --reason change
 * nothing.
 */
export const somethingTo =
  (change: readonly string[], written: string) =>
  (given: Readonly<Record<string, unknown>>): string | undefined =>
    change.some((key) => key in given) ? undefined : `Say what to change: ${written}.`;
