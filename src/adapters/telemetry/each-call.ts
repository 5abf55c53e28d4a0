/** One call of a method. */
export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Calls the method of the object itself, with these arguments or with others. */
  readonly run: (args?: readonly unknown[]) => Promise<unknown>;
}

/** The object with every call of its methods going through `pass`, which decides the answer. All methods return promises. */
export function eachCall<T extends object>(target: T, pass: (call: Call) => Promise<unknown>): T {
  return new Proxy(target, {
    get(_, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof name !== "string" || typeof method !== "function") return method;
      return (...args: unknown[]) =>
        pass({ method: name, args, run: (others = args) => Reflect.apply(method, target, others) });
    },
  });
}
