/** The fields of a merchant that need no code of their own: the rows `text` and `flag` of contract/merchants/fields.ts. */
import {
  MERCHANT_FIELDS,
  type MerchantField,
  type PlainFieldName,
  type PlainFields,
  type PlainInput,
} from "../../../contract/merchants/fields.ts";
import { camelCase } from "../../../contract/names.ts";
import type { FieldFault } from "../errors.ts";
import { fieldFault } from "../values/field-fault.ts";
import { isName } from "../values/identifiers.ts";

interface PlainField extends MerchantField {
  /** The name in the API, and of the column. */
  readonly name: PlainFieldName;
  readonly property: keyof PlainFields;
}

export const PLAIN_FIELDS: readonly PlainField[] = Object.entries<MerchantField>(MERCHANT_FIELDS)
  .filter(([, { type }]) => type !== "own")
  .map(([name, field]) => ({ ...field, name: name as PlainFieldName, property: camelCase(name) as keyof PlainFields }));

const plain = <Value>(value: (field: PlainField) => Value): Readonly<Record<keyof PlainFields, Value>> =>
  Object.fromEntries(PLAIN_FIELDS.map((field) => [field.property, value(field)])) as Record<keyof PlainFields, Value>;

/** The plain fields of a merchant whose request has none of them. */
export const PLAIN_DEFAULTS = plain((field) => field.default ?? null) as PlainFields;

/** The plain fields alone. */
export const plainOf = (merchant: PlainFields): PlainFields =>
  plain(({ property }) => merchant[property]) as PlainFields;

/** The plain fields after a request. */
export const changedPlain = (from: PlainFields, input: PlainInput): PlainFields =>
  plain(({ property, nullable }) => {
    const given = input[property] ?? from[property];
    return given === "" && nullable === true ? null : given;
  }) as PlainFields;

/** The faults of texts whose length alone is limited. */
export const plainFaults = (merchant: Partial<PlainFields>): FieldFault[] =>
  PLAIN_FIELDS.flatMap(({ name, property, max, nullable }) => {
    const value = merchant[property] ?? null;
    if (max === undefined || (value === null && nullable === true)) return [];
    return typeof value === "string" && isName(value, max) ? [] : [fieldFault(name, `1 to ${max} characters`)];
  });
