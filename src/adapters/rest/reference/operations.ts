import { SUCCESS } from "../openapi/operation.ts";
import { escaped } from "./html.ts";
import { codeBlock, renderText } from "./markdown.ts";
import type { Operation } from "./operation-list.ts";
import { dataOf, fieldItem, fieldList, type Node } from "./schemas.ts";
import { tryForm } from "./try-form.ts";

/** The section of an operation: what it does, its parameters and body, and its answers. */
export function operationSection(operation: Operation, tryOut: boolean): string {
  const { id, summary, method, path, node } = operation;
  const responses = Object.entries(node.responses as Readonly<Record<string, Node>>);
  const successes = responses.filter(([status]) => /^[23]/.test(status));
  const refusals = responses.filter(([status]) => !/^[23]/.test(status));
  return `<section class="operation" aria-labelledby="${id}">
<div class="about">
<h3 id="${id}">${escaped(summary)} <a class="here" href="#${id}" aria-label="Link to ${escaped(summary)}">#</a></h3>
<p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path === null ? "your walletUrl" : escaped(path)}</code></p>
${renderText(String(node.description ?? ""))}
${parameters(node)}
${body(node)}
${successes.map(([status, response]) => answer(status, response)).join("\n")}
${refusals.length === 0 ? "" : `<details><summary>Other answers: ${refusals.map(([status]) => (status === "default" ? "any" : status)).join(", ")}</summary>${refusals.map(refusal).join("")}</details>`}
</div>
<div class="examples">
${examples("Request", mediaOf(node.requestBody as Node | undefined))}
${successes.map(([status, response]) => examples(`Answer ${status}`, mediaOf(response))).join("\n")}
${tryOut && path !== null ? tryForm(operation) : ""}
</div>
</section>`;
}

function parameters(node: Node): string {
  const all = (node.parameters ?? []) as readonly Node[];
  const titles = { path: "In the path", query: "Query", header: "Headers" };
  return Object.entries(titles)
    .map(([place, title]) => {
      const items = all
        .filter((one) => one.in === place)
        .map((one) =>
          fieldItem(String(one.name), one.schema as Node, one.required === true, "sent", String(one.description ?? "")),
        );
      return items.length === 0 ? "" : `<h4>${title}</h4><ul class="fields">${items.join("")}</ul>`;
    })
    .join("");
}

function body(node: Node): string {
  const media = mediaOf(node.requestBody as Node | undefined).find(([type]) => type === "application/json");
  const list = media === undefined ? "" : fieldList(media[1].schema as Node, "sent");
  return list === "" ? "" : `<h4>Body</h4>${list}`;
}

function answer(status: string, response: Node): string {
  const schema = mediaOf(response).find(([type]) => type === "application/json")?.[1].schema as Node | undefined;
  const data = schema && dataOf(schema);
  const list = schema === undefined ? "" : fieldList(data ?? schema, "answered");
  const title = data === undefined ? `Answer ${status}` : `Answer ${status}, <code>data</code>`;
  const text = response.description === SUCCESS ? "" : renderText(String(response.description ?? ""));
  return `<h4>${title}</h4>${text}${list}`;
}

const refusal = ([status, response]: readonly [string, Node]): string =>
  `<h4>${status === "default" ? "Any other path or method" : status}</h4>${renderText(String(response.description ?? ""))}`;

type Media = readonly (readonly [type: string, media: Node])[];
const mediaOf = (node: Node | undefined): Media =>
  Object.entries((node?.content ?? {}) as Readonly<Record<string, Node>>);

/** The examples of a body or an answer. The first example of each media type is open. */
function examples(title: string, media: Media): string {
  const all = media.flatMap(([type, { examples, example }]) => {
    const named = Object.entries((examples ?? {}) as Readonly<Record<string, Node>>).map(
      ([name, { summary, value }]) => [String(summary ?? name), value] as const,
    );
    return example === undefined ? named : [...named, [type, example] as const];
  });
  if (all.length === 0) return "";
  const blocks = all.map(([name, value], i) => {
    const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
    return `<details${i === 0 ? " open" : ""}><summary>${escaped(name)}</summary>${codeBlock(text)}</details>`;
  });
  return `<h4>${title}</h4>${blocks.join("")}`;
}
