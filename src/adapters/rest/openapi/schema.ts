/** The few shapes of JSON Schema (2020-12) that the API's description is made of. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** An object that always has these properties, but for the `optional` ones. */
export const object = (properties: Properties, optional: readonly string[] = []): Schema => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export const array = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
export const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

/** RFC 3339 in UTC with milliseconds, as every time of a reply is. */
export const time = (description: string): Schema => ({
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  description,
});

/** The same, or null. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  type: [schema.type, "null"],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
});

/** One of these texts, each with what it means. The keys' type keeps the list equal to the code's own. */
export const oneOf = <Value extends string>(description: string, values: Readonly<Record<Value, string>>): Schema => ({
  type: "string",
  enum: Object.keys(values),
  description: `${description}\n\n${Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join("\n")}`,
});

/** A schema that stands under its name in the document. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** pt, es or en, alone or with a region, in any case. */
export const LANGUAGE_PATTERN = "^([pP][tT]|[eE][sS]|[eE][nN])(-([A-Za-z]{2}|[0-9]{3}))?$";
