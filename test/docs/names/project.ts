import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { prose } from "../markdown.ts";

const NOT_OURS = new Set(["node_modules", ".git", ".cache", "dist", "__pycache__", "vendor", "target"]);
const BINARY = /\.(png|ico|jpg|woff2?|gz|db|jar|binpb)$/;

/** All files of the project, as paths from its root. */
export const FILES: readonly string[] = below(".");

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
    return NOT_OURS.has(entry.name) ? [] : below(path);
  });
}

/** The texts between backticks, without those of code blocks. A line break in a span is a space. */
export const spans = (text: string): string[] =>
  [...prose(text).matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.replace(/\s+/g, " "));

/** The scripts that a text runs with npm. */
export const scripts = (text: string): string[] =>
  [...text.matchAll(/\bnpm\s+(?:run\s+(?:-s\s+)?(\w[\w-]*(?::\w+)*)|(test|start)\b)/g)].map(
    ([, run, own]) => run ?? own ?? "",
  );

/** A file's or a folder's name: with a slash inside, or with the ending of a file that this project has. */
export const isPath = (span: string): boolean =>
  /^[\w.{},*-]+(\/[\w.{},*-]*)+(#[\w-]+)?$/.test(span) ||
  /^[\w-]+(\.[\w-]+)*\.(ts|mjs|js|md|proto|py|php|java|go|json|yml|css)$/.test(span);

/**
 * The files and folders that a page means by a path: from the project's root, from a folder that is named near it, or
 * else the only file whose path ends so. Empty: there is none.
 *
 * @param near - paths that the page names near it.
 */
export function meant(span: string, near: readonly string[]): string[] {
  for (const folder of [".", ...near.flatMap(ancestors)]) {
    const found = matches(join(folder, pathOf(span)));
    if (found.length > 0) return found;
  }
  const ends = FILES.filter((file) => file.endsWith(`/${pathOf(span)}`));
  return ends.length === 1 ? ends : [];
}

/** The files and folders that a path means from the project's root. */
export const fromRoot = (span: string): string[] => matches(pathOf(span));

const pathOf = (span: string): string => (span.split("#")[0] ?? "").replace(/\/$/, "");

/** Every part of a pattern's braces must exist; of a star, one match is enough. */
function matches(pattern: string): string[] {
  const paths = braces(pattern).map((one) => (one.includes("*") ? globSync(one) : existsSync(one) ? [one] : []));
  return paths.some((found) => found.length === 0) ? [] : paths.flat();
}

function braces(pattern: string): string[] {
  const [, before = "", parts = "", after = ""] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return parts === "" ? [pattern] : parts.split(",").flatMap((part) => braces(before + part + after));
}

/** A path itself, if it is a folder, and the folders in which it is, from the nearest on. */
function ancestors(path: string): string[] {
  const parts = path.split("/");
  const depths = parts.map((_, i) => parts.slice(0, parts.length - i).join("/"));
  return depths.filter((folder) => statSync(folder).isDirectory());
}

const texts = new Map<string, string>();

/** The text of a file, or of all files of a folder. */
export function textOf(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const files = statSync(path).isDirectory() ? below(path) : [path];
  const text = files
    .filter((file) => !BINARY.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  texts.set(path, text);
  return text;
}
