/** Drops empty fields: in a message, an empty field means that it is not set. */
export const withoutEmpty = <Name extends string>(
  fields: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== "")) as Partial<Record<Name, string>>;
