import { escaped } from "./html.ts";

/** A page in the navigation. */
interface NavLink {
  /** The page's path under /docs/; empty: the reference. The path may have an anchor. */
  readonly path: string;
  readonly label: string;
  /** The HTTP method of an operation. */
  readonly method?: string;
}

export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

interface PageContent {
  /** The page's name under /docs/; empty: the reference. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

export interface Surroundings {
  readonly groups: readonly NavGroup[];
  /** The API's address without `/v1`. */
  readonly address: string;
  readonly tryOut: boolean;
}

/**
 * The address of `path` under /docs/ on the page `name`. Addresses are relative, because PUBLIC_URL may have a path.
 */
const addressOn = (name: string, path: string): string => {
  if (name === "") return path === "" || path.startsWith("#") ? path || "docs" : `docs/${path}`;
  return path === "" || path.startsWith("#") ? `../docs${path}` : path;
};

/** Builds a whole page: the frame with the content. */
export function layout({ name, title, html }: PageContent, { groups, address, tryOut }: Surroundings): string {
  const to = (path: string): string => escaped(addressOn(name, path));
  const root = name === "" ? "" : "../";
  return `<!doctype html>
<html lang="en" data-try-out="${tryOut}" data-root="${root}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escaped(title === "Operator API" ? title : `${title} - Operator API`)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${to("look/tokens.css")}">
    <link rel="stylesheet" href="${to("look/light.css")}">
    <link rel="stylesheet" href="${to("look/base.css")}">
    <link rel="stylesheet" href="${to("docs.css")}">
    <link rel="stylesheet" href="${to("content.css")}">
    <script src="${to("docs.js")}" type="module"></script>
  </head>
  <body>
    <a class="skip" href="#page-content">Skip to the content</a>
    <header class="top">
      <a class="brand" href="${to("")}">Operator API</a>
      <button class="button small menu" type="button" popovertarget="page-menu">Menu</button>
      <search class="search" hidden>
        <label class="visually-hidden" for="page-search">Search these pages</label>
        <input id="page-search" type="search" autocomplete="off" spellcheck="false" placeholder="Search" aria-describedby="page-search-help" aria-controls="page-found">
        <span class="visually-hidden" id="page-search-help">Ctrl and K come here. Arrow keys choose a result.</span>
        <div id="page-found" hidden><p role="status"></p><ol></ol></div>
      </search>
      <p class="base"><span>Base URL</span> <code id="base-url">${escaped(address)}</code></p>
    </header>
    <div class="columns">
      <nav id="page-menu" popover aria-label="Pages">
${groups.map((group) => navGroup(group, name, to)).join("\n")}
      </nav>
      <main id="page-content" tabindex="-1">
${html}
      </main>
    </div>
  </body>
</html>
`;
}

function navGroup({ title, links }: NavGroup, name: string, to: (path: string) => string): string {
  const items = links.map(({ path, label, method }) => {
    const mark = method === undefined ? "" : `<span class="method ${method}">${method.toUpperCase()}</span> `;
    const current = path === name ? ' aria-current="page"' : "";
    return `<li><a href="${to(path)}"${current}>${mark}<span>${escaped(label)}</span></a></li>`;
  });
  return `        <h2>${escaped(title)}</h2>\n        <ul>${items.join("")}</ul>`;
}
