import { guidePages } from "./guide-pages.ts";
import { layout, type NavGroup } from "./layout.ts";
import { operationsOf } from "./operation-list.ts";
import { reference, tagsOf } from "./reference.ts";
import type { Node } from "./schemas.ts";
import { type Found, sectionsOf } from "./search-index.ts";

interface Site {
  /** The whole pages, by their names under /docs/; empty: the reference. */
  readonly pages: ReadonlyMap<string, string>;
  /** All sections of all pages. */
  readonly index: readonly Found[];
}

export interface SiteOptions {
  /** The API's address without `/v1`. */
  readonly address: string;
  readonly tryOut: boolean;
}

/** Builds the pages of /docs from the API's description and the project's Markdown. Rejects if a file is missing. */
export async function buildSite(description: Node, options: SiteOptions): Promise<Site> {
  const guides = await guidePages();
  const operations = operationsOf(description);
  const groups: NavGroup[] = tagsOf(description).map(({ name }) => ({
    title: name,
    links: operations
      .filter(({ tag }) => tag === name)
      .map(({ id, summary, method }) => ({ path: `#${id}`, label: summary, method })),
  }));
  const guideGroup = (title: string): NavGroup => ({
    title,
    links: guides.filter(({ group }) => group === title).map(({ name, label }) => ({ path: name, label })),
  });
  const start = guideGroup("Start");
  const around = {
    ...options,
    groups: [
      { ...start, links: [...start.links, { path: "", label: "Reference" }] },
      guideGroup("Guides"),
      ...groups,
      guideGroup("Rules"),
      guideGroup("Project"),
    ],
  };
  const contents = [
    { name: "", title: "Operator API", html: reference(description, options.tryOut) },
    ...guides.map(({ name, title, html }) => ({ name, title, html })),
  ];
  return {
    pages: new Map(contents.map((content) => [content.name, layout(content, around)])),
    index: contents.flatMap(({ name, title, html }) => sectionsOf(name, title, html)),
  };
}
