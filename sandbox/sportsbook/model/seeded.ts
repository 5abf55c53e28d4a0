/** Random numbers without state. The same seed and name always give the same number, in any order of calls. */

/** The number in [0, 1) for `seed` and `name`. */
export function seeded(seed: number, name: string): number {
  // FNV-1a over the name, then the finaliser of MurmurHash3, so that similar names (`goal-1`, `goal-2`) give unrelated
  // numbers.
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A smooth curve between -1 and 1 through seeded points, one per `period`. Odds move along it. */
export function drift(seed: number, name: string, at: number, period: number): number {
  const step = Math.floor(at / period);
  const share = at / period - step;
  const point = (n: number) => seeded(seed, `${name}~${n}`) * 2 - 1;
  const ease = share * share * (3 - 2 * share);
  return point(step) + (point(step + 1) - point(step)) * ease;
}
