/** The few forms of OpenAPI 3.0's schemas that the API's description uses. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

/** An object with these properties. All properties except the `optional` ones are always present. */
export const object = (properties: Properties, optional: readonly string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length > 0 && { required }), properties };
};

export const array = (items: Schema, more: Schema = {}): Schema => ({ type: "array", items, ...more });
export const text = (description: string, more: Schema = {}): Schema => ({ type: "string", description, ...more });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
/** An amount of money. Without the format, some generators use a 32-bit number, which holds only seven digits. */
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

/** Makes a schema nullable. The schema must have a `type`: OpenAPI 3.0 cannot make a `$ref` nullable. */
export const nullable = (schema: Schema): Schema => ({
  ...schema,
  nullable: true,
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
});

/**
 * A text that is one of the keys of `values`. Each value is the meaning of its key. The compiler compares the keys with
 * the type in the code.
 */
export const oneOf = <Value extends string>(description: string, values: Readonly<Record<Value, string>>): Schema => ({
  type: "string",
  enum: Object.keys(values),
  description: `${description}\n\n${Object.entries(values)
    .map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
    .join("\n")}`,
});

/** A reference to the schema with this name in the document. */
export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The named schema with another description. In OpenAPI 3.0 a $ref may have no other keyword beside it. */
export const described = (name: string, description: string): Schema => ({ allOf: [named(name)], description });
