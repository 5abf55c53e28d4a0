/** Replaces a method that a test never calls. */
export const notHere = (): never => {
  throw new Error("nothing in this test asks for this");
};

/** A port of which a test needs only these methods. */
export const only = <T extends object>(methods: Partial<T>): T =>
  new Proxy(methods as T, { get: (there, name) => Reflect.get(there, name) ?? notHere });
