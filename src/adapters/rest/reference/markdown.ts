import { Marked, type Token, type Tokens } from "marked";
import { escaped, textOf } from "./html.ts";

/**
 * Finds the address of a link. undefined: the service does not serve the link's target, so only the link's text is
 * shown.
 */
export type Resolve = (href: string) => string | undefined;

const plain = new Marked();

/** The blocks of a Markdown text. */
export const blocksOf = (markdown: string): Token[] => plain.lexer(markdown);

/** The text of a heading without Markdown's signs. */
export const headingText = ({ tokens }: Tokens.Heading): string =>
  textOf(plain.Parser.parseInline(tokens, { renderer: new plain.Renderer() }));

/** The anchor of a heading, as GitHub makes it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** Every anchor of the blocks: of headings, and of `<a id="...">`. */
export function anchorsOf(blocks: readonly Token[]): string[] {
  const headings = blocks
    .filter((block): block is Tokens.Heading => block.type === "heading")
    .map((block) => slugOf(headingText(block)));
  const named = blocks.flatMap(({ raw }) => [...raw.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id));
  return [...headings, ...named];
}

/**
 * The blocks as HTML. Tables and code can be scrolled separately and reached by keyboard. So no text makes the page
 * wider than the window.
 *
 * @param depth - the number that is subtracted from the level of each heading: 1 if a part of a file is a separate
 * page.
 */
export function renderBlocks(blocks: readonly Token[], resolve: Resolve, depth = 0): string {
  const used = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading(heading) {
        const level = Math.max(1, heading.depth - depth);
        const slug = slugOf(headingText(heading));
        const times = used.get(slug) ?? 0;
        used.set(slug, times + 1);
        const id = times === 0 ? slug : `${slug}-${times}`;
        const content = this.parser.parseInline(heading.tokens);
        // The Markdown file numbers its sections. The title of a page without the other sections needs no number.
        if (level === 1) return `<h1 id="${id}">${content.replace(/^\d+\. /, "")}</h1>\n`;
        const here = `<a class="here" href="#${id}" aria-label="Link to ${escaped(headingText(heading))}">#</a>`;
        return `<h${level} id="${id}">${content} ${here}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const to = resolve(href);
        const content = this.parser.parseInline(tokens);
        return to === undefined ? content : `<a href="${escaped(to)}">${content}</a>`;
      },
      code: ({ text }) => `${codeBlock(text)}\n`,
      table(table) {
        const cells = (row: Tokens.TableCell[], tag: "th" | "td") =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        // A table head without any text is left out, because it would be an empty heading of the columns.
        const head = table.header.some(({ text }) => text !== "") ? `<thead>${cells(table.header, "th")}</thead>` : "";
        const rows = table.rows.map((row) => cells(row, "td")).join("");
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
      html: ({ text }) => text.replace(/<!--[\s\S]*?-->/g, ""),
    },
  });
  return marked.parser([...blocks]);
}

/** Renders a short text of the API's description. */
export const renderText = (markdown: string): string => renderBlocks(blocksOf(markdown), (href) => href);

/** A block of code that can be scrolled and copied. */
export const codeBlock = (text: string): string =>
  `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>`;
