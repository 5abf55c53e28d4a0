import { escaped } from "./html.ts";
import { renderText } from "./markdown.ts";

/** A part of the API's description, or a JSON schema in it. */
export type Node = { readonly [name: string]: unknown };

/** The description with what each `$ref` names in its place. An `allOf` of one schema gets the keywords beside it. */
export function dereferenced(description: Node): Node {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, allOf, ...beside } = value as Node;
    if (typeof $ref === "string") return within(named($ref));
    const kept = Object.fromEntries(Object.entries(beside).map(([key, inner]) => [key, within(inner)]));
    if (allOf === undefined) return kept;
    const all = (allOf as readonly unknown[]).map(within) as readonly Node[];
    return all.length === 1 ? { ...all[0], ...kept } : { ...kept, allOf: all };
  };
  const named = (ref: string): unknown => {
    const path = ref.split("/").slice(1);
    const target = path.reduce<unknown>(
      (from, name) => (from as Node | undefined)?.[name.replaceAll("~1", "/")],
      description,
    );
    if (target === undefined) throw new Error(`the description has no ${ref}`);
    return target;
  };
  return within(description) as Node;
}

/**
 * Whether the caller sends the fields or gets them. A sender must know which fields are required, a receiver which
 * fields may be absent.
 */
type Side = "sent" | "answered";

/** The fields of an object, or of the objects in an array, as an HTML list; empty: there are no fields. */
export function fieldList(schema: Node, side: Side): string {
  const object = objectIn(schema);
  if (object === undefined) return "";
  const required = new Set(object.required as readonly string[] | undefined);
  const fields = Object.entries(object.properties as Readonly<Record<string, Node>>);
  const items = fields.map(([name, field]) => fieldItem(name, field, required.has(name), side));
  return `<ul class="fields">${items.join("")}</ul>`;
}

/** The fields of a success's `data`. The envelope around it is the same in every reply. */
export const dataOf = ({ properties }: Node): Node | undefined =>
  (properties as Readonly<Record<string, Node>> | undefined)?.data;

/** One field or parameter: its name, its possible values, its meaning, and the fields inside it. */
export function fieldItem(
  name: string,
  schema: Node,
  required: boolean,
  side: Side,
  meaning = String(schema.description ?? ""),
): string {
  const note = side === "sent" ? (required ? "required" : "") : required ? "" : "may be absent";
  const must = note === "" ? "" : ` <span class="required">${note}</span>`;
  return `<li><p class="field"><code>${escaped(name)}</code> <span class="type">${escaped(typeOf(schema))}</span>${must}</p>${renderText(meaning)}${fieldList(schema, side)}</li>`;
}

function objectIn(node: Node): Node | undefined {
  if (node.properties !== undefined) return node;
  if (node.items !== undefined) return objectIn(node.items as Node);
  const choices = (node.oneOf ?? node.allOf) as readonly Node[] | undefined;
  return choices?.map(objectIn).find((choice) => choice !== undefined);
}

/** The possible values as a text: type, values, bounds, format and default. */
function typeOf(node: Node): string {
  const { type, enum: values, items, format, default: standard } = node;
  const choices = node.oneOf as readonly Node[] | undefined;
  const types = [type ?? choices?.map(typeOf) ?? [], node.nullable ? "null" : []].flat(2).join(" or ");
  const words = [items === undefined ? types : `${types} of ${typeOf(items as Node)}`];
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
