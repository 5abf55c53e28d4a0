/** The few forms of OpenAPI 3.0's schemas that the API's description uses. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** An object with these properties. All but the `optional` ones are always there. */
export const object = (properties: Properties, optional: readonly string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length > 0 && { required }), properties };
};

export const array = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
export const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
/** An amount of money. Without the format some generators read it into 32 bits, which hold only seven digits. */
export const amount = (description: string, more: Schema = {}): Schema => ({
  type: "number",
  format: "double",
  description,
  ...more,
});
export const choice = (values: readonly string[]): Schema => ({ type: "string", enum: values });

/** A time in a reply: RFC 3339 in UTC with milliseconds. */
export const time = (description: string): Schema => ({
  type: "string",
  format: "date-time",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
  description,
});

/** The schema, which has a type, or null. OpenAPI 3.0 has no way to say it of a named schema. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  nullable: true,
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

/** The named schema with a description of its own. In OpenAPI 3.0 nothing may stand beside a $ref. */
export const described = (name: string, description: string): Schema => ({ allOf: [named(name)], description });
