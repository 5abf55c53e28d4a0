/**
 * The import file of games (`npm run admin -- game import`), out of an upstream's own list. A field that breaks a rule of
 * the catalog is left out and told, so one odd game does not stop the others.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readDetails, readGame } from "../../../src/domain/catalog/game.ts";

/** A game with the names of the import file's fields. Members without a value are left out or null. */
export type ListedGame = Readonly<Record<string, unknown>> & { readonly code: string };

interface Written {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export type Say = (line: string) => void;
const LISTED_MAX = 50;

/** Writes the file, and tells how it differs from the file that was there before. Returns the exit code. */
export function writeCatalogue(file: string, listed: readonly ListedGame[], say: Say): number {
  const games = listed.flatMap((game) => cleaned(game, say));
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as readonly ListedGame[]) : [];
  const { added, changed, removed } = differences(before, games);
  for (const [title, codes] of [
    ["new", added],
    ["changed", changed],
    ["no longer in the list", removed],
  ] as const) {
    say(`${codes.length} ${title}`);
    for (const code of codes.slice(0, LISTED_MAX)) say(`  ${code}`);
    if (codes.length > LISTED_MAX) say(`  and ${codes.length - LISTED_MAX} more`);
  }
  // An interrupted write leaves the old file as it was.
  writeFileSync(`${file}.new`, `[\n${games.map((game) => JSON.stringify(game)).join(",\n")}\n]\n`);
  renameSync(`${file}.new`, file);
  say(
    `${games.length} games are in ${file}. Preview the import: npm run admin -- game import --file ${file} --dry-run`,
  );
  if (removed.length > 0) say("The import does not switch off games that are no longer in the list.");
  return 0;
}

function cleaned(game: ListedGame, say: Say): readonly ListedGame[] {
  const given = Object.fromEntries(Object.entries(game).filter(([, value]) => value !== undefined && value !== null));
  const { faults } = readDetails(given);
  for (const { field, rule } of faults) {
    say(`${game.code}: ${field} is left out, because it is not ${rule}`);
    delete given[field];
  }
  const read = readGame(given);
  if (!("faults" in read)) return [given as ListedGame];
  for (const { field, rule } of read.faults) say(`${game.code} is left out: ${field} is not ${rule}`);
  return [];
}

function differences(before: readonly ListedGame[], after: readonly ListedGame[]): Written {
  const old = new Map(before.map((game) => [game.code, JSON.stringify(game)]));
  const now = new Map(after.map((game) => [game.code, JSON.stringify(game)]));
  return {
    added: [...now.keys()].filter((code) => !old.has(code)),
    changed: [...now].filter(([code, game]) => old.has(code) && old.get(code) !== game).map(([code]) => code),
    removed: [...old.keys()].filter((code) => !now.has(code)),
  };
}
