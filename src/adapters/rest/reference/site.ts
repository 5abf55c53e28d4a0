/**
 * The pages of /docs. This is own code, because no library that we tried with this API's description under the pages'
 * security policy does as much. Sizes are scripts and styles, compressed with gzip. Ours have 7 kB, and the reference
 * page 19 kB.
 *
 * - Scalar 1.76 (989 kB), Redoc 3.0 (327 kB) and RapiDoc 9.3 (218 kB) need inline styles. With our policy Redoc does not
 *   start, and the other two lose their look. Redoc also asks for a picture from another host.
 * - Stoplight Elements 9.0 (613 kB) has faults of WCAG 2.2 AA, and no place in which a call could be signed.
 * - Swagger UI 5.35 (485 kB) keeps the policy, and its `requestInterceptor` could sign. It has 17 faults of WCAG 2.2 AA.
 *
 * All of them need scripts. None shows the guides as pages, and none searches the reference and the guides together. So
 * we would keep the layout, the Markdown, the navigation, the search and the signing. About 300 lines would go.
 */

import { guidePages } from "./guide-pages.ts";
import { layout, type NavGroup } from "./layout.ts";
import { operationsOf } from "./operation-list.ts";
import { reference, tagsOf } from "./reference.ts";
import { dereferenced, type Node } from "./schemas.ts";
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
export async function buildSite(openApi: Node, options: SiteOptions): Promise<Site> {
  const description = dereferenced(openApi);
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
