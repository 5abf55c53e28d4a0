/** Removes empty fields, because an empty field of a message is a field that is not set. */
export const withoutEmpty = <Name extends string>(
  fields: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== "")) as Partial<Record<Name, string>>;
