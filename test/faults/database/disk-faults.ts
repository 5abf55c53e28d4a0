import { join } from "node:path";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { SmallDisk } from "../../../testbed/database/small-disk.ts";
import type { Fault } from "./strike.ts";

const MEGABYTES = 160;

/** A server whose files are on a small disk. */
export interface OnSmallDisk {
  readonly disk: SmallDisk;
  readonly server: DatabaseServer;
  close(): Promise<void>;
}

/** undefined: this user may not mount a file system. */
export async function openOnSmallDisk(): Promise<OnSmallDisk | undefined> {
  const disk = SmallDisk.mount(MEGABYTES);
  if (disk === undefined) return undefined;
  const close = async (server?: DatabaseServer): Promise<void> => {
    // The server needs no normal shutdown, and may have no disk space for it.
    await server?.kill();
    await server?.stop();
    disk.close();
  };
  try {
    const server = await startDatabaseServer([], join(disk.folder, "server"));
    return { disk, server, close: () => close(server) };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** The disk is full until the fault is healed. */
export const diskFull = ({ disk }: OnSmallDisk): Fault => ({
  kind: "disk full",
  lasts: "until not ready",
  strike: async () => disk.fill(),
  heal: async () => {
    disk.free();
    return 1;
  },
});
