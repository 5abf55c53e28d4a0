import { textOf } from "./html.ts";

/** An entry of the search index: a section of a page. */
export interface Found {
  /** The section's address under /docs/. The address of a section of the reference begins with `#`. */
  readonly to: string;
  /** The page's title. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

const HEADING = /<h([1-4])(?: id="([^"]*)")?>([\s\S]*?)<\/h\1>/g;
/** Elements whose text is not searched: links to headings, forms, selections and scripts. */
const EXTRAS = /<a class="here"[\s\S]*?<\/a>|<(form|select|script)[\s\S]*?<\/\1>/g;

/**
 * The sections of a page: one for each heading with an anchor. A heading without an anchor belongs to the section
 * before it.
 */
export function sectionsOf(name: string, page: string, html: string): Found[] {
  const clean = html.replace(EXTRAS, "");
  const headings = [...clean.matchAll(HEADING)].filter(([, , id]) => id !== undefined);
  return headings.map((heading, i) => {
    const [whole, , id, title = ""] = heading;
    const from = heading.index + whole.length;
    return {
      to: `${name}#${id}`,
      page,
      title: textOf(title),
      text: textOf(clean.slice(from, headings[i + 1]?.index)),
    };
  });
}
