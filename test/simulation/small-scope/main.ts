import { check } from "../judge/check.ts";
import { type Explored, explore } from "./explore.ts";
import { endOf, faultsOf } from "./histories.ts";
import type { Scope } from "./scope.ts";
import { CASES, furtherScopes } from "./scopes.ts";

/** Violations of one scope, each with the choices that led to it. At most this many are kept. */
const KEPT = 3;

export interface Judged extends Explored {
  /** The ends that were reached, see {@link endOf}. */
  readonly reached: readonly string[];
  readonly violations: readonly { readonly found: readonly string[]; readonly path: readonly string[] }[];
}

export async function judgeScope(scope: Scope): Promise<Judged> {
  const reached = new Set<string>();
  const violations: { found: string[]; path: string[] }[] = [];
  const explored = await explore(scope, (record, path) => {
    reached.add(endOf(record));
    const found = [...check(record).map(({ invariant, what }) => `${invariant} ${what}`), ...faultsOf(record)];
    if (found.length > 0 && violations.length < KEPT) violations.push({ found, path: [...path] });
  });
  return { ...explored, reached: [...reached].sort(), violations };
}

/**
 * Explores every scope and prints what was found. Returns the number of scopes with violations.
 *
 * @param isBrief - explores only the scopes of `npm test`, prints nothing, and ends with the first violation.
 */
export async function exploreAll(isBrief: boolean): Promise<{ readonly failed: number; readonly scopes: number }> {
  const scopes = [...CASES.map(({ scope }) => scope), ...(isBrief ? [] : furtherScopes())];
  const total = { failed: 0, moments: 0, ends: 0 };
  for (const scope of scopes) {
    const { moments, ends, violations } = await judgeScope(scope);
    total.moments += moments;
    total.ends += ends;
    if (violations.length > 0) total.failed += 1;
    if (isBrief && total.failed > 0) return { failed: 1, scopes: scopes.indexOf(scope) + 1 };
    if (isBrief) continue;
    console.log(`${scope.name}: ${moments} moments, ${ends} histories, ${violations.length} violations`);
    for (const { found, path } of violations) console.log(`  ${found.join("; ")}\n    ${path.join(", ")}`);
  }
  if (!isBrief)
    console.log(
      `${scopes.length} scopes, ${total.moments} moments, ${total.ends} histories: ${total.failed} scopes with violations`,
    );
  return { failed: total.failed, scopes: scopes.length };
}
