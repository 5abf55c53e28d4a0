/** The rules for API keys of providers and of the administration. */
import type { FieldFault } from "../errors.ts";
import { fieldFault } from "../values/field-fault.ts";

/** The name that the audit log uses for the admin key from the environment. No other key may have this name. */
export const BOOTSTRAP_KEY = "ADMIN_KEY";

/**
 * The faults of a new key.
 *
 * @param others - the keys that its holder already has.
 */
export function newKeyFaults(
  name: string,
  expiresAt: number | null,
  others: readonly { readonly name: string }[],
  now: number,
): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) faults.push(fieldFault("name", "1 to 64 of A-Z, a-z, 0-9, ., _ and -"));
  if (name === BOOTSTRAP_KEY || others.some((other) => other.name === name))
    faults.push(fieldFault("name", "a name that no other key has had"));
  if (expiresAt !== null && !(expiresAt > now)) faults.push(fieldFault("expires_at", "a time in the future"));
  return faults;
}

/** The first name of key-1, key-2 ... that no key has. */
export function freeKeyName(others: readonly { readonly name: string }[]): string {
  for (let n = 1; ; n++) if (!others.some(({ name }) => name === `key-${n}`)) return `key-${n}`;
}
