/** The few forms of JSON Schema (2020-12) that the API's description uses. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** An object with these properties. All but the `optional` ones are always there. */
export const object = (properties: Properties, optional: readonly string[] = []): Schema => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export const array = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
export const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

/** A time in a reply: RFC 3339 in UTC with milliseconds. */
export const time = (description: string): Schema => ({
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  description,
});

/** The schema, or null. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  type: [schema.type, "null"],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
});

/** One of these texts, each with its meaning. The type of the keys keeps the list equal to the code's own type. */
export const oneOf = <Value extends string>(description: string, values: Readonly<Record<Value, string>>): Schema => ({
  type: "string",
  enum: Object.keys(values),
  description: `${description}\n\n${Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join("\n")}`,
});

/** A reference to a schema that the document has under this name. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** pt, es or en, alone or with a region, in any case. */
export const LANGUAGE_PATTERN = "^([pP][tT]|[eE][sS]|[eE][nN])(-([A-Za-z]{2}|[0-9]{3}))?$";
