/**
 * Licences (SPDX) of packages that an Apache-2.0 project may ship. These licences only require that their text is
 * shipped, too.
 */
const ALLOWED = new Set(["Apache-2.0", "MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD"]);

/**
 * An expression is allowed when every part of an AND is allowed, or one part of an OR. Any other expression is not
 * allowed.
 */
export function isAllowed(licence: string): boolean {
  const bare = /^\((.*)\)$/.exec(licence)?.[1] ?? licence;
  if (bare.includes("(")) return false;
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}
