/**
 * A server whose handshakes get no answer until it is released: its queue of connections is full, so the system drops
 * further SYN packets. A client sends them again after a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Listens, then blocks on its input. `reply` is the text that each connection gets for its first bytes. */
const PROGRAM = `
const { createServer } = require("node:net");
const { readSync, writeSync } = require("node:fs");
const [host, port, reply] = process.argv.slice(1);
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.on("data", () => socket.write(reply));
});
server.listen({ host, port: Number(port), backlog: 1 }, () => {
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
  const plugs: Socket[] = [];
  // More connections than the queue has places for. The last one never connects.
  for (let isFull = false; !isFull; ) {
    const plug = connect({ host, port: bound });
    plug.on("error", () => undefined);
    plugs.push(plug);
    isFull = await new Promise((resolve) => {
      plug.once("connect", () => resolve(false));
      setTimeout(resolve, 300, true);
    });
  }
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
