/** The properties of `next` whose value differs from the value in `previous`. */
export function changes<T extends object>(previous: Partial<T>, next: T): Partial<T> {
  const changed = Object.entries(next).filter(([name, value]) => value !== previous[name as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}
