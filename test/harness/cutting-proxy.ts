/** A proxy before a database's socket that can lose the replies to chosen statements: they are executed, and nobody is told. */
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CuttingProxy {
  readonly socketPath: string;
  /** Loses the reply to each of the next `count` packets that contain `text`, and the connection with it. */
  cut(text: string, count: number): void;
  /** Replies lost so far. */
  readonly lost: number;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const socketPath = join(folder, "s");
  const open = new Set<Socket>();
  let wanted = { text: "", left: 0 };
  let lost = 0;
  const server = createServer((client) => {
    const upstream = createConnection(target);
    let cutting = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.add(client);
    client.on("data", (chunk) => {
      if (wanted.left > 0 && chunk.includes(wanted.text)) {
        wanted.left -= 1;
        cutting = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!cutting) return void client.write(chunk);
      lost += 1;
      end();
    });
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    cut: (text, count) => {
      wanted = { text, left: count };
    },
    get lost() {
      return lost;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
