import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";

/** A file for each port that a process of this user may use, with the process's id. */
const CLAIMS = join("/tmp", `claimed-ports-${userInfo().uid}`);
const own = new Set<string>();

/**
 * Claims a port for this process until it ends. Without claims two tests could be given one port, because the program
 * that shall listen on it needs seconds to start. false: another process has claimed it.
 */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  try {
    mkdirSync(CLAIMS, { recursive: true });
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    return false;
  }
  if (own.size === 0) process.once("exit", giveBack);
  own.add(file);
  return true;
}

function giveBack(): void {
  for (const file of own) rmSync(file, { force: true });
}

/** Removes the claims of processes that a signal has ended. */
function dropOldClaims(): void {
  for (const port of readdirSync(CLAIMS)) {
    const file = join(CLAIMS, port);
    try {
      process.kill(Number(readFileSync(file, "utf8")), 0);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ESRCH") rmSync(file, { force: true });
    }
  }
}

/**
 * Different ports that were free a moment ago, and that no other test gets. Their numbers are below the ports that
 * systems give to outgoing connections (from 32 768 on Linux), so no other program's connection takes one before the
 * caller listens on it.
 */
export async function freePorts(count: number): Promise<number[]> {
  mkdirSync(CLAIMS, { recursive: true });
  dropOldClaims();
  const servers: Server[] = [];
  while (servers.length < count) {
    const port = randomInt(10_000, 32_768);
    if (!claim(port)) continue;
    const server = createServer().listen(port, "127.0.0.1");
    if (await once(server, "listening").catch(() => undefined)) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** One of {@link freePorts}. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0] as number;
