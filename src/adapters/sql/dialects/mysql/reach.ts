import { isIP, type Socket } from "node:net";
import type { Knex } from "knex";
import { connectFirst, type Opening } from "../../../names/connect-first.ts";
import { dnsResolve, type HostAddress, type Resolve, systemLookup } from "../../../names/host-addresses.ts";

interface Client {
  connectionSettings: { stream?: Socket };
  acquireRawConnection(): Promise<unknown>;
}

/**
 * Lets a pool of the driver connect to whichever address of the server's name accepts first. The driver itself would
 * look the name up with getaddrinfo, and would end each attempt but the last after half a second. An IP address is left
 * to the driver.
 */
export function reachEveryAddress(
  pool: Knex,
  { host, port }: { readonly host: string; readonly port: number },
  withinMs: number,
  resolve: Resolve = dnsResolve([], systemLookup, withinMs),
): void {
  if (isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0) return;
  const client = pool.client as Client;
  const acquire = client.acquireRawConnection.bind(client);
  client.acquireRawConnection = async () => {
    const stream = await connected(host, port, withinMs, resolve);
    // The driver sets these two on a socket that it opens itself.
    stream.setNoDelay(true).setKeepAlive(true);
    // `acquire` gives the settings to the driver before it waits for the first time.
    client.connectionSettings.stream = stream;
    return acquire();
  };
}

function connected(host: string, port: number, withinMs: number, resolve: Resolve): Promise<Socket> {
  return new Promise((done, reject) => {
    let opening: Opening | undefined;
    let isOver = false;
    const end = (error: Error | null, socket?: Socket | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (socket) return done(socket);
      opening?.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => end(Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: "ETIMEDOUT" })),
      withinMs,
    );
    resolve(host).then(
      (addresses: readonly HostAddress[]) => {
        if (!isOver) opening = connectFirst(addresses, port, end);
      },
      (cause: NodeJS.ErrnoException) => end(lookupFault(host, cause)),
    );
  });
}

/** The error with the code that getaddrinfo would give. */
const lookupFault = (host: string, cause: NodeJS.ErrnoException): Error =>
  Object.assign(new Error(`${host} was not resolved: ${cause.code ?? cause.message}`), {
    code: cause.code === "ENOTFOUND" || cause.code === "ENODATA" ? "ENOTFOUND" : "EAI_AGAIN",
  });
