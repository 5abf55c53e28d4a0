/** The properties of `next` whose value is another one than in `previous`. */
export function changes<T extends object>(previous: Partial<T>, next: T): Partial<T> {
  const changed = Object.entries(next).filter(([name, value]) => value !== previous[name as keyof T]);
  return Object.fromEntries(changed) as Partial<T>;
}
