import type { Container, ResolvedValueInjectOptions, ServiceIdentifier } from "inversify";

/** One token for each value, in the order of the values. */
export type Tokens<Values extends unknown[]> = { [I in keyof Values]-?: ResolvedValueInjectOptions<Values[I]> };

/** Creates a token for a type that is not a class: an interface, a function, a setting. A class is its own token. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/**
 * Binds a class to itself. Its constructor gets the instances of `dependencies`, in that order, and then the values
 * `more`. The compiler checks both against the constructor's parameters.
 */
export function bind<T, Injected extends unknown[], More extends unknown[]>(
  container: Container,
  type: new (...parameters: [...Injected, ...More]) => T,
  dependencies: Tokens<Injected>,
  ...more: More
): void {
  implement<T, Injected, More>(container, type, type, dependencies, ...more);
}

/** Like {@link bind}, but for a class that is bound to a port or to another token. */
export function implement<T, Injected extends unknown[], More extends unknown[]>(
  container: Container,
  port: ServiceIdentifier<T>,
  type: new (...parameters: [...Injected, ...More]) => T,
  dependencies: Tokens<Injected>,
  ...more: More
): void {
  container.bind(port).toResolvedValue((...injected: Injected) => new type(...injected, ...more), dependencies);
}
