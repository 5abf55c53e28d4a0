import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import type { Fault } from "./strike.ts";

const SIZE = "160m";
const CHUNK = Buffer.alloc(65_536);

/** A small file system in memory, and a server whose files are on it. */
export interface SmallDisk {
  readonly folder: string;
  readonly server: DatabaseServer;
  close(): Promise<void>;
}

/** Opens a small disk. null: the current user is not root, and only root may mount a file system. */
export async function openSmallDisk(): Promise<SmallDisk | null> {
  if (process.getuid?.() !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "small-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder]);
  const unmount = (): void => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", unmount);
  const close = async (server?: DatabaseServer): Promise<void> => {
    // The server needs no normal shutdown, and may have no disk space for it.
    await server?.kill();
    await server?.stop();
    process.off("exit", unmount);
    unmount();
  };
  try {
    const server = await startDatabaseServer([], join(folder, "server"));
    return { folder, server, close: () => close(server) };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** The disk is full until the fault is healed. */
export const diskFull = ({ folder }: SmallDisk): Fault => {
  const filler = join(folder, "filler");
  return {
    kind: "disk full",
    lasts: "until not ready",
    strike: async () => {
      const file = openSync(filler, "a");
      try {
        // Writes smaller and smaller pieces until no piece fits.
        for (let size = CHUNK.length; size > 0; size >>= 1) while (fits(file, size));
      } finally {
        closeSync(file);
      }
    },
    heal: async () => {
      rmSync(filler);
      return 1;
    },
  };
};

function fits(file: number, size: number): boolean {
  try {
    return writeSync(file, CHUNK, 0, size) === size;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
    return false;
  }
}
