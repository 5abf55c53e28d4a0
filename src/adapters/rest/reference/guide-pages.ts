import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";
import type { Token, Tokens } from "marked";
import { DOWNLOADS, GUIDES, PROJECT } from "./guides.ts";
import { anchorsOf, blocksOf, headingText, renderBlocks, slugOf } from "./markdown.ts";

/** A page from a Markdown file, or from a section of such a file. */
export interface GuidePage {
  readonly group: string;
  /** The page's name under /docs/. */
  readonly name: string;
  readonly label: string;
  readonly title: string;
  readonly html: string;
}

/** A page before its links are known. */
interface Draft extends Omit<GuidePage, "html"> {
  readonly file: string;
  readonly blocks: readonly Token[];
  /** By how many levels the page's headings are higher than in the file. */
  readonly depth: number;
}

const isSection = (block: Token): block is Tokens.Heading => block.type === "heading" && block.depth === 2;
/**
 * The pages are rendered with pauses between them. All of them take some ten milliseconds, and bets must not wait for
 * that.
 */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Renders every guide. Rejects if a file or a section is missing. */
export async function guidePages(): Promise<GuidePage[]> {
  const drafts: Draft[] = [];
  for (const guide of GUIDES) {
    drafts.push(...draftsOf(guide, blocksOf(await readFile(new URL(guide.file, PROJECT), "utf8"))));
    await pause();
  }
  const addresses = addressesOf(drafts);
  const pages: GuidePage[] = [];
  for (const { file, blocks, depth, ...page } of drafts) {
    pages.push({ ...page, html: renderBlocks(blocks, (href) => leadsTo(addresses, file, page.name, href), depth) });
    await pause();
  }
  return pages;
}

function draftsOf({ group, file, page, label, sections }: (typeof GUIDES)[number], blocks: readonly Token[]): Draft[] {
  const [title] = blocks.filter((block): block is Tokens.Heading => block.type === "heading").map(headingText);
  if (title === undefined) throw new Error(`${file} has no heading`);
  const whole = { group, file, name: page, label: label ?? title, title, depth: 0 };
  if (sections === undefined) return [{ ...whole, blocks }];
  const begins = blocks.flatMap((block, i) => (isSection(block) ? [i] : []));
  const names = begins.map((i) => slugOf(headingText(blocks[i] as Tokens.Heading)));
  const unnamed = [...names, ...Object.keys(sections)].find(
    (one) => !names.includes(one) || sections[one] === undefined,
  );
  if (unnamed !== undefined) throw new Error(`${file}: guides.ts and the file differ in the section ${unnamed}`);
  return [
    { ...whole, blocks: blocks.slice(0, begins[0]) },
    ...begins.map((from, i) => {
      const heading = headingText(blocks[from] as Tokens.Heading).replace(/^\d+\. /, "");
      const name = sections[names[i] ?? ""] ?? "";
      return { group, file, name, label: heading, title: heading, depth: 1, blocks: blocks.slice(from, begins[i + 1]) };
    }),
  ];
}

/** The pages' addresses by file, and by file and anchor. */
function addressesOf(drafts: readonly Draft[]): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const { file, name, blocks } of drafts) {
    if (!addresses.has(file)) addresses.set(file, name);
    for (const anchor of anchorsOf(blocks)) addresses.set(`${file}#${anchor}`, `${name}#${anchor}`);
  }
  for (const [path, file] of Object.entries(DOWNLOADS)) addresses.set(file, path);
  return addresses;
}

/** The address to which a link of the file leads on a page under /docs/. */
function leadsTo(addresses: ReadonlyMap<string, string>, file: string, name: string, href: string): string | undefined {
  if (/^[a-z]+:/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? file : join(dirname(file), path);
  const address = addresses.get(anchor === undefined ? target : `${target}#${anchor}`);
  return address?.startsWith(`${name}#`) ? address.slice(name.length) : address;
}
