import { escaped } from "./html.ts";
import type { Operation } from "./operation-list.ts";
import type { Node } from "./schemas.ts";

/** The form with which the page sends this call. browser/try.js signs and sends the call. */
export function tryForm({ id, summary, method, path, node }: Operation): string {
  const fields = ((node.parameters ?? []) as readonly Node[]).map((one) => field(id, one));
  const media = ((node.requestBody as Node | undefined)?.content as Readonly<Record<string, Node>> | undefined)?.[
    "application/json"
  ];
  if (media !== undefined) {
    const [first] = Object.values((media.examples ?? {}) as Readonly<Record<string, Node>>);
    const text = first === undefined ? "" : JSON.stringify(first.value, null, 2);
    fields.push(
      `<label for="${id}-body">Body<textarea id="${id}-body" name="body" rows="6" spellcheck="false">${escaped(text)}</textarea></label>`,
    );
  }
  return `<details class="try"><summary>Try it</summary>
<form class="fields-to-fill" data-method="${method.toUpperCase()}" data-path="${escaped(String(path))}" aria-label="Try: ${escaped(summary)}">
${fields.join("\n")}
<button class="button primary small" type="submit">Sign and send</button>
<div role="status"></div>
</form></details>`;
}

function field(operation: string, { name, in: place, required, schema, example }: Node): string {
  const id = `${operation}-${name}`;
  const { enum: values } = schema as { readonly enum?: readonly string[] };
  const must = required === true ? " required" : "";
  const common = `id="${id}" name="${escaped(String(name))}" data-in="${place}"${must}`;
  const control =
    values === undefined
      ? `<input ${common} autocomplete="off" spellcheck="false" value="${escaped(example === undefined ? "" : String(example))}">`
      : `<select ${common}><option value=""></option>${values.map((value) => `<option>${escaped(value)}</option>`).join("")}</select>`;
  return `<label for="${id}">${escaped(String(name))}${control}</label>`;
}
