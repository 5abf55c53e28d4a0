import { execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { programOf } from "../../../testbed/programs/operations-program.ts";

/** The file of the trusted authorities. */
export const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** The network's settings and certificates, which a root file system has from the machine. */
const OF_THE_MACHINE = ["/etc/resolv.conf", "/etc/hosts", CERTIFICATES];
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** root by default. */
  readonly user?: string;
  /** Whether the file system may only be read, except for /tmp. */
  readonly isReadOnly?: boolean;
}

/** A root file system in a folder, in which programs run as in a container, with the machine's network. */
export class Root {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Makes what FROM names: Debian, made by debootstrap, with Node and npm in /usr/local and the user `node`. An official
   * image of Node has the same, but cannot be had without a registry of images.
   *
   * @param debian - a folder that debootstrap has filled.
   */
  static like(debian: string, folder: string): Root {
    execFileSync("cp", ["--archive", "--reflink=auto", debian, folder]);
    const root = new Root(folder);
    const local = (path: string) => join(folder, "usr/local", path);
    cpSync(process.execPath, local("bin/node"));
    // The program npm is a link to npm/bin/npm-cli.js.
    const npm = dirname(dirname(realpathSync(programOf("npm") ?? "npm")));
    mkdirSync(local("lib/node_modules"), { recursive: true });
    execFileSync("cp", ["--recursive", "--dereference", npm, local("lib/node_modules/npm")]);
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", local("bin/npm"));
    for (const file of OF_THE_MACHINE) writeFileSync(join(folder, file), readFileSync(file));
    execFileSync("chroot", [folder, "useradd", "--uid", "1000", "--user-group", "--create-home", "node"]);
    return root;
  }

  path(inside: string): string {
    return join(this.folder, inside);
  }

  /** Runs a program to its end. */
  run(command: readonly string[], options: ProcessOptions) {
    return spawnSync("unshare", this.#words(command, options), { encoding: "utf8", maxBuffer: 1e8 });
  }

  start(command: readonly string[], options: ProcessOptions, more: SpawnOptions) {
    return spawn("unshare", this.#words(command, options), more);
  }

  /** The words after `unshare`: mounts that nobody else sees, then the program. */
  #words(command: readonly string[], { env, cwd, user = "root", isReadOnly = false }: ProcessOptions): string[] {
    const mounts = [
      'mount --bind "$0" "$0"',
      ...(isReadOnly ? ['mount -o remount,ro,bind "$0"', 'mount -t tmpfs tmpfs "$0/tmp"'] : []),
      'mount --bind /dev "$0/dev"',
      'mount -t proc proc "$0/proc"',
      'user="$1"; shift; exec chroot --userspec="$user" "$0" /usr/bin/env -i "$@"',
    ].join(" && ");
    const variables = Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`);
    const program = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', cwd, ...command];
    return ["--mount", "bash", "-c", mounts, this.folder, user, ...variables, ...program];
  }
}

/**
 * Fills a folder with this release of Debian, once, from where apt has the machine's packages. The machine's Node needs
 * libatomic.
 */
export function debootstrap(program: string, suite: string, folder: string): void {
  if (existsSync(folder)) return;
  const sites = execFileSync("apt-get", ["indextargets", "--format", "$(SITE)", "Created-By: Packages"], {
    encoding: "utf8",
  });
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const words = [
    "--variant=minbase",
    "--include=ca-certificates,libatomic1",
    suite,
    partial,
    sites.split("\n")[0] ?? "",
  ];
  const env = { ...process.env, DEBOOTSTRAP_DIR: join(dirname(program), "../share/debootstrap") };
  execFileSync(program, words, { env, stdio: ["ignore", "ignore", 2] });
  renameSync(partial, folder);
}
