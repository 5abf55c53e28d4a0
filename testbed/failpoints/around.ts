/** Replacements of some methods. Each gets the real method first, and then the arguments of the call. */
type Advice<T> = {
  readonly [M in keyof T]?: T[M] extends (...args: infer Args) => infer Out
    ? (real: (...args: Args) => Out, ...args: Args) => Out
    : never;
};

/** The object with some of its methods replaced. */
export function around<T extends object>(target: T, advice: Advice<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const real: unknown = Reflect.get(target, name);
      if (typeof real !== "function") return real;
      const bound = real.bind(target);
      const replacement = advice[name as keyof T];
      return replacement === undefined ? bound : (...args: never[]) => replacement(bound, ...args);
    },
  });
}
