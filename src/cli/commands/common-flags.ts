import { integer, text } from "../arguments/flag.ts";

export const reason = text("text", "Why, for the audit log", "'asked for by the operator'");
export const cursor = text("cursor", "Where the last page ended: its next_cursor", "eyJjIjoic2hvcCJ9");
export const limit = (standard: number, max: number) => integer(`How many to list, 1 to ${max}; ${standard} by default`, 20, 1, max);

/** The flags that say what to change, without those that say of what and why: at least one of them is needed. */
export const somethingTo =
  (change: readonly string[], written: string) =>
  (given: Readonly<Record<string, unknown>>): string | undefined =>
    change.some((key) => key in given) ? undefined : `Say what to change: ${written}.`;
