import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The text of a page, by its path from the project's root. */
export const page = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The Markdown files in the project's root and under docs/, as paths from the project's root. */
export function pages(): string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md"),
  );
  const front = readdirSync(ROOT).filter((file) => file.endsWith(".md"));
  return [...front, ...docs.map((file) => join("docs", file))];
}

/** The text without fenced code blocks. */
export const prose = (text: string): string => text.replace(/^```.*?^```$/gms, "");

/** The text under a heading (given without its #), up to the next heading. */
function section(text: string, heading: string): string {
  const [, found] = prose(text).split(new RegExp(`^#+ ${heading.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`, "m"));
  if (found === undefined) throw new Error(`no heading "${heading}"`);
  return found.split(/^#+ /m)[0] ?? "";
}

/** The rows of a section's first table, each by the names of its columns, without code marks. */
export function table(text: string, heading: string): Record<string, string>[] {
  const lines = section(text, heading).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const cells = (line: string): string[] =>
    line
      .slice(1, line.lastIndexOf("|"))
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", ""));
  const end = lines.findIndex((line, i) => i > first && !line.startsWith("|"));
  const [head = "", , ...rows] = lines.slice(first, end);
  if (first === -1 || rows.length === 0) throw new Error(`no table under "${heading}"`);
  const names = cells(head);
  return rows.map((row) => Object.fromEntries(cells(row).map((cell, i) => [names[i] ?? "", cell])));
}

/** The code blocks of a page that have a file's name: `<!-- file: name -->` stands on the line before the block. */
function files(text: string): Map<string, string> {
  const found = [...text.matchAll(/^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$/gms)];
  return new Map(found.map(([, name = "", code = ""]) => [name, code]));
}

/** A test or a file of tests, which cleans up at its end. */
export interface Lifetime {
  teardown(undo: () => unknown): void;
}

/**
 * Writes the files of the pages into a new folder, as a reader copies them, and returns its path. Removed when the test
 * ends.
 */
export function checkout(t: Lifetime, ...paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "docs-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  // The packages that a page tells its reader to install, and the protos that it tells its reader to copy.
  for (const name of ["node_modules", "proto"]) symlinkSync(join(ROOT, name), join(folder, name));
  for (const [name, code] of paths.flatMap((path) => [...files(page(path))])) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
  return folder;
}

/** Links to files of the project, as they are written in the text. */
export const links = (text: string): string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to).filter((to) => !/^[a-z]+:/.test(to));

/** The anchors that a page sets itself, as `<a id="tx-mismatch"></a>`. */
export const ids = (text: string): string[] =>
  [...prose(text).matchAll(/<a id="([^"]*)"><\/a>/g)].map(([, id = ""]) => id).filter((id) => id !== "...");

/**
 * The names that a link to a page may have after its `#`: GitHub's anchors of the headings, and the page's own anchors.
 */
export function anchors(text: string): string[] {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const named = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...named, ...ids(text)];
}

/** The absolute path of a link's target. */
export const linked = (from: string, to: string): string => resolve(ROOT, dirname(from), to);
