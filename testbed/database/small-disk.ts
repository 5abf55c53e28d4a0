/** A file system in memory that can be full. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHUNK = Buffer.alloc(65_536);
const QUIET = { stdio: "pipe" } as const;

export class SmallDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
    // Before the listeners of servers, which remove their folders.
    process.prependOnceListener("exit", this.#unmount);
  }

  /** @returns undefined: this user may not mount a file system. */
  static mount(megabytes: number, folder = mkdtempSync(join(tmpdir(), "small-disk-"))): SmallDisk | undefined {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], QUIET);
    } catch {
      rmSync(folder, { recursive: true });
      return undefined;
    }
    return new SmallDisk(folder);
  }

  /**
   * Mounts a disk in the place of a folder, and copies the folder's files to it. No program may use them meanwhile.
   *
   * @param room - the free space that is left, in megabytes.
   */
  static under(folder: string, room: number): SmallDisk | undefined {
    const before = `${folder}-before`;
    renameSync(folder, before);
    mkdirSync(folder);
    const disk = SmallDisk.mount(Math.ceil(bytesOf(before) / 2 ** 20) + room, folder);
    if (disk === undefined) return void renameSync(before, folder);
    execFileSync("cp", ["-a", `${before}/.`, folder], QUIET);
    rmSync(before, { recursive: true });
    return disk;
  }

  /** From now on no byte more fits. It writes smaller and smaller pieces until no piece fits. */
  fill(): void {
    const file = openSync(this.#filler, "a");
    try {
      for (let size = CHUNK.length; size > 0; size >>= 1) while (fits(file, size));
    } finally {
      closeSync(file);
    }
  }

  /** Ends what {@link fill} has begun. */
  free(): void {
    rmSync(this.#filler);
  }

  /** Programs that still run keep their open files. */
  close(): void {
    process.off("exit", this.#unmount);
    this.#unmount();
  }

  get #filler(): string {
    return join(this.folder, "filler");
  }

  readonly #unmount = (): void => {
    execFileSync("umount", ["--lazy", this.folder], QUIET);
    rmSync(this.folder, { recursive: true, force: true });
  };
}

function fits(file: number, size: number): boolean {
  try {
    return writeSync(file, CHUNK, 0, size) === size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
    return false;
  }
}

/** The size of all files of a folder. */
export const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
