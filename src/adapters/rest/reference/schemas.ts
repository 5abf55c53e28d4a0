import { escaped } from "./html.ts";
import { renderText } from "./markdown.ts";

/** A part of the API's description, or a JSON schema in it. */
export type Node = { readonly [name: string]: unknown };

/**
 * The node itself, or the node that its `$ref` names in the description. For an `allOf` of one schema: this schema and
 * the other keywords beside `allOf`.
 */
export function resolved(description: Node, node: Node): Node {
  const { allOf, ...beside } = node;
  const [only, ...others] = (allOf ?? []) as readonly Node[];
  if (only !== undefined && others.length === 0) return { ...resolved(description, only), ...beside };
  if (typeof node.$ref !== "string") return node;
  const path = node.$ref.split("/").slice(1);
  const target = path.reduce<unknown>(
    (from, name) => (from as Node | undefined)?.[name.replaceAll("~1", "/")],
    description,
  );
  if (target === undefined) throw new Error(`the description has no ${node.$ref}`);
  return resolved(description, target as Node);
}

/**
 * Whether the caller sends the fields or gets them. A sender must know which fields are required, a receiver which
 * fields may be absent.
 */
type Side = "sent" | "answered";

/** The fields of an object, or of the objects in an array, as an HTML list; empty: there are no fields. */
export function fieldList(description: Node, schema: Node, side: Side): string {
  const object = objectIn(description, schema);
  if (object === undefined) return "";
  const required = new Set(object.required as readonly string[] | undefined);
  const fields = Object.entries(object.properties as Readonly<Record<string, Node>>);
  const items = fields.map(([name, field]) => fieldItem(description, name, field, required.has(name), side));
  return `<ul class="fields">${items.join("")}</ul>`;
}

/** The fields of a success's `data`. The envelope around it is the same in every reply. */
export function dataOf(description: Node, schema: Node): Node | undefined {
  const envelope = resolved(description, schema).properties as Readonly<Record<string, Node>> | undefined;
  return envelope?.data;
}

/** One field or parameter: its name, its possible values, its meaning, and the fields inside it. */
export function fieldItem(
  description: Node,
  name: string,
  schema: Node,
  required: boolean,
  side: Side,
  meaning?: string,
): string {
  const field = resolved(description, schema);
  const text = meaning ?? (schema.description as string | undefined) ?? (field.description as string | undefined) ?? "";
  const note = side === "sent" ? (required ? "required" : "") : required ? "" : "may be absent";
  const must = note === "" ? "" : ` <span class="required">${note}</span>`;
  const inner = fieldList(description, field, side);
  return `<li><p class="field"><code>${escaped(name)}</code> <span class="type">${escaped(typeOf(description, field))}</span>${must}</p>${renderText(text)}${inner}</li>`;
}

function objectIn(description: Node, schema: Node): Node | undefined {
  const node = resolved(description, schema);
  if (node.properties !== undefined) return node;
  if (node.items !== undefined) return objectIn(description, node.items as Node);
  const choices = (node.oneOf ?? node.allOf) as readonly Node[] | undefined;
  return choices?.map((choice) => objectIn(description, choice)).find((choice) => choice !== undefined);
}

/** The possible values as a text: type, values, bounds, format and default. */
function typeOf(description: Node, schema: Node): string {
  const node = resolved(description, schema);
  const { type, enum: values, items, format, default: standard } = node;
  const choices = node.oneOf as readonly Node[] | undefined;
  const types = [type ?? choices?.map((choice) => typeOf(description, choice)) ?? [], node.nullable ? "null" : []]
    .flat(2)
    .join(" or ");
  const words = [items === undefined ? types : `${types} of ${typeOf(description, items as Node)}`];
  if (values !== undefined) words.push((values as readonly unknown[]).map(String).join(" | "));
  if (format !== undefined) words.push(String(format));
  words.push(range("", node.minimum, node.maximum));
  words.push(range(" characters", node.minLength, node.maxLength), range(" items", node.minItems, node.maxItems));
  if (standard !== undefined) words.push(`default ${standard}`);
  return words.filter((word) => word !== "").join(", ");
}

function range(unit: string, from: unknown, to: unknown): string {
  if (from === undefined) return to === undefined ? "" : `at most ${to}${unit}`;
  return to === undefined ? `at least ${from}${unit}` : `${from} to ${to}${unit}`;
}
