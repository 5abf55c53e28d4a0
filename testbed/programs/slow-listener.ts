/**
 * A server whose handshakes get no answer until it is released: its queue of connections is full, so the system drops
 * further SYN packets. A client sends them again after a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

const BACKLOG = 1;
/** Listens, then blocks on its input. `reply` is the text that each connection gets for its first bytes. */
const PROGRAM = `
const { createServer } = require("node:net");
const { readSync, writeSync } = require("node:fs");
const [host, port, reply] = process.argv.slice(1);
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", () => socket.write(reply));
});
server.listen({ host, port: Number(port), backlog: ${BACKLOG} }, () => {
  writeSync(1, String(server.address().port));
  readSync(0, Buffer.alloc(1));
});
`;

export interface SlowListener {
  readonly port: number;
  /** From now on handshakes are answered. */
  release(): void;
  close(): void;
}

export async function startSlowListener(host: string, reply = "", port = 0): Promise<SlowListener> {
  const child = spawn(process.execPath, ["-e", PROGRAM, host, String(port), reply], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  const bound = Number(text);
  // The system completes one handshake more than the backlog allows.
  const plugs = await Promise.all(
    Array.from({ length: BACKLOG + 1 }, async () => {
      const plug = connect({ host, port: bound });
      await once(plug, "connect");
      plug.on("error", () => undefined);
      return plug;
    }),
  );
  return {
    port: bound,
    release: () => {
      for (const plug of plugs) plug.destroy();
      child.stdin.write("x");
    },
    close: () => {
      for (const plug of plugs) plug.destroy();
      child.kill("SIGKILL");
    },
  };
}
