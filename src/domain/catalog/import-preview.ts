import type { FieldChange } from "../access/audit.ts";
import type { GameDescription } from "./game.ts";

/** A preview names at most this many games of each kind. */
const LISTED_MAX = 500;

/** A game in a preview of an import. */
export interface PreviewedGame {
  readonly provider: string;
  readonly code: string;
  readonly name: string;
  /** Only of a game that would change. */
  readonly changes: readonly FieldChange[];
}

/** The games that an import would create, change or leave alone. Each list has the first 500. */
export interface ImportPreview {
  readonly created: readonly PreviewedGame[];
  /** Those that would become inactive come first. */
  readonly updated: readonly PreviewedGame[];
  /** The number of changed games that would become inactive. */
  readonly deactivated: number;
  /** Active games of the file's providers that the file does not have. The import does not change them. */
  readonly missing: readonly PreviewedGame[];
  readonly missingCount: number;
}

export const NOTHING: ImportPreview = { created: [], updated: [], deactivated: 0, missing: [], missingCount: 0 };

const turnsOff = ({ changes }: PreviewedGame): boolean =>
  changes.some(({ field, to }) => field === "active" && to === false);

/** @param updated - all games that would change, so that {@link ImportPreview.deactivated} is their exact number. */
export const previewOf = (created: readonly PreviewedGame[], updated: readonly PreviewedGame[]): ImportPreview => ({
  ...NOTHING,
  created: created.slice(0, LISTED_MAX),
  updated: updated.toSorted((a, b) => Number(turnsOff(b)) - Number(turnsOff(a))).slice(0, LISTED_MAX),
  deactivated: updated.filter(turnsOff).length,
});

/** The preview of two parts of a file. */
export const bothPreviews = (a: ImportPreview, b: ImportPreview): ImportPreview => ({
  ...previewOf([...a.created, ...b.created], [...a.updated, ...b.updated]),
  deactivated: a.deactivated + b.deactivated,
});

/** Adds the games that the file does not have. @param catalog - all games. */
export function withMissing(
  preview: ImportPreview,
  games: readonly GameDescription[],
  catalog: readonly (Pick<PreviewedGame, "provider" | "code" | "name"> & { readonly active: boolean })[],
): ImportPreview {
  const providers = new Set<string>(games.map(({ provider }) => provider));
  const inFile = new Set(games.map(({ provider, code }) => `${provider}/${code}`));
  const missing = catalog.filter(
    ({ provider, code, active }) => active && providers.has(provider) && !inFile.has(`${provider}/${code}`),
  );
  const listed = missing
    .slice(0, LISTED_MAX)
    .map(({ provider, code, name }) => ({ provider, code, name, changes: [] }));
  return { ...preview, missing: listed, missingCount: missing.length };
}
