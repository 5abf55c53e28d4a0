import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** Where tools/operations-programs.mjs unpacks programs. */
const ROOT = resolve(".cache/programs");

/** The path of a program on the PATH or among the unpacked ones; undefined: this machine does not have it. */
export function programOf(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), join(ROOT, "usr/bin"), join(ROOT, "usr/sbin")];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The environment in which an unpacked program finds its libraries. */
export const PROGRAM_ENV = {
  ...process.env,
  LD_LIBRARY_PATH: ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    .map((machine) => join(ROOT, "usr/lib", machine))
    .join(delimiter),
};
