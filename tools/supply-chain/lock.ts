/** What is installed, as package-lock.json has it: by the place in node_modules; the project itself has none. */
export type Lock = Readonly<Record<string, LockedPackage>>;

export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Only development needs it. */
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** `node_modules/a/node_modules/@b/c` is the package `@b/c`. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** What runs in production: everything but the project itself and what only development needs. */
export const runtimePackages = (lock: Lock): { readonly path: string; readonly name: string; readonly version: string; readonly licence: string }[] =>
  Object.entries(lock)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, { version = "", license = "none" }]) => ({ path, name: nameOf(path), version, licence: license }));
