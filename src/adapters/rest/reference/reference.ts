import { readFileSync } from "node:fs";
import { codeBlock, renderText } from "./markdown.ts";
import { operationsOf } from "./operation-list.ts";
import { operationSection } from "./operations.ts";
import type { Node } from "./schemas.ts";

const SNIPPETS = [
  { id: "node", language: "Node", file: "node.mjs" },
  { id: "python", language: "Python", file: "python.py" },
  { id: "php", language: "PHP", file: "php.php" },
  { id: "go", language: "Go", file: "go.go" },
] as const;

const snippet = (file: string): string =>
  codeBlock(readFileSync(new URL(`snippets/${file}`, import.meta.url), "utf8").trimEnd());

const SIGNING = (): string => `<section class="card" aria-labelledby="sign-title">
<h2 id="sign-title">Sign a call in ten lines</h2>
<p>Four headers. The signature is HMAC-SHA256 over <code>timestamp.nonce.METHOD.target.body</code>, keyed with your secret as you got it, in lowercase hex. The <dfn>target</dfn> is the request line's target from <code>/v1</code> on, with the query string. Without a body, the text ends with the last dot. Sign exactly the bytes that you send. <a href="docs/signing">More about signing</a></p>
<div class="tabs" role="tablist" aria-label="Language">${SNIPPETS.map(({ id, language }, i) => `<button type="button" role="tab" id="tab-${id}" aria-controls="code-${id}" aria-selected="${i === 0}" tabindex="${i === 0 ? 0 : -1}">${language}</button>`).join("")}</div>
${SNIPPETS.map(({ id, file }, i) => `<div role="tabpanel" id="code-${id}" aria-labelledby="tab-${id}"${i === 0 ? "" : " hidden"}>${snippet(file)}</div>`).join("")}
</section>`;

const CREDENTIALS = `<section class="card" aria-labelledby="credentials-title">
<h2 id="credentials-title">Try it here</h2>
<p>This page signs each call below as the merchant that you enter. Use it for the sandbox's merchants only: a real secret stays on your servers. <code>npm start</code> prints a link that fills in both fields.</p>
<form class="fields-to-fill" id="credentials">
<label for="merchant">Merchant code<input id="merchant" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="casa-luna-brl"></label>
<label for="secret">Merchant secret<input id="secret" type="password" autocomplete="off" placeholder="sk_..."></label>
</form>
</section>`;

/** The content of the reference page. With `tryOut` it can send calls, and has fields for a merchant's code and secret. */
export function reference(description: Node, tryOut: boolean): string {
  const operations = operationsOf(description);
  const { description: introduction } = description.info as { readonly description: string };
  const sections = tagsOf(description).map(
    ({ name, description: text }) => `<h2 id="${tagId(name)}">${name}</h2>
${renderText(text)}
${operations
  .filter(({ tag }) => tag === name)
  .map((operation) => operationSection(operation, tryOut))
  .join("\n")}`,
  );
  return `<h1 id="reference">Operator API</h1>
<p class="lead">Slots, live casino and a sportsbook through one signed API. New here? <a href="docs/first-bet">First bet in five steps</a>. For machines: <a href="openapi.json">openapi.json</a>, <a href="docs/postman">Postman</a>.</p>
${renderText(introduction)}
${SIGNING()}
${tryOut ? CREDENTIALS : ""}
${sections.join("\n")}`;
}

interface Tag {
  readonly name: string;
  readonly description: string;
}

export const tagsOf = (description: Node): readonly Tag[] => description.tags as readonly Tag[];
const tagId = (name: string): string => `tag-${name.toLowerCase().replaceAll(" ", "-")}`;
