/** The packages of package-lock.json, by their path in node_modules. The path of the project itself is empty. */
export type Lock = Readonly<Record<string, LockedPackage>>;

export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Whether only development needs the package. */
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The name of the package at a path: `@b/c` for `node_modules/a/node_modules/@b/c`. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/**
 * The packages that run in production: all packages except the project itself and the packages that only development
 * needs.
 */
export const runtimePackages = (
  lock: Lock,
): { readonly path: string; readonly name: string; readonly version: string; readonly licence: string }[] =>
  Object.entries(lock)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, { version = "", license = "none" }]) => ({ path, name: nameOf(path), version, licence: license }));
