/** Fields by the wire's names; empty ones are not said. */
export const said = <Name extends string>(fields: Readonly<Record<Name, string>>): Partial<Record<Name, string>> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== "")) as Partial<Record<Name, string>>;
