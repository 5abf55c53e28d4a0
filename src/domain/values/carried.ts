/** The texts that a transaction carries unchanged: `CARRIED_FIELDS` of contract/transactions/fields.ts by code names. */
import { type CamelCase, camelCase } from "../../../contract/names.ts";
import { CARRIED_FIELDS, ITEM_FIELDS, type ItemField } from "../../../contract/transactions/fields.ts";

type Name = (typeof CARRIED_FIELDS)[number];
type NullableName = { [N in Name]: (typeof ITEM_FIELDS)[N] extends { readonly nullable: true } ? N : never }[Name];

/** Absent, null and "" have the same meaning: the transaction does not have this text. */
export type Carried = { readonly [N in Exclude<Name, NullableName> as CamelCase<N>]: string } & {
  readonly [N in NullableName as CamelCase<N>]?: string | null | undefined;
};

export interface CarriedField {
  /** The name in the API, and of the column. */
  readonly name: Name;
  readonly property: keyof Carried;
}

export const CARRIED: readonly CarriedField[] = CARRIED_FIELDS.map((name) => ({
  name,
  property: camelCase(name),
}));

/** The carried texts alone. If a text that may be absent is "", it is null. */
export function carriedOf(from: Carried): Carried {
  const found: Partial<Record<keyof Carried, string | null>> = {};
  for (const { name, property } of CARRIED) {
    const field: ItemField = ITEM_FIELDS[name];
    const text = from[property] ?? "";
    found[property] = text === "" && field.nullable === true ? null : text;
  }
  return found as Carried;
}

/** The carried texts by their names in the API. */
export const carriedByName = (from: Carried): Record<Name, string | null> =>
  Object.fromEntries(CARRIED.map(({ name, property }) => [name, from[property] ?? null])) as Record<
    Name,
    string | null
  >;

/** The carried texts as the fields of a message: "" stands for a text that the transaction does not have. */
export const carriedFields = (from: Carried): Record<keyof Carried, string> =>
  Object.fromEntries(CARRIED.map(({ property }) => [property, from[property] ?? ""])) as Record<keyof Carried, string>;
