import { connect, type Socket } from "node:net";
import type { HostAddress } from "./host-addresses.ts";

/** How long to wait for an attempt before the next one starts beside it, in ms (RFC 8305, 5). */
const NEXT_ATTEMPT_MS = 250;
/** A name has seldom more than a few addresses. More would only be a way to make this service open connections. */
const ADDRESSES_MAX = 16;

/** A connection that is being opened. After `destroy` the callback is not called. */
export interface Opening {
  destroy(): void;
}

/**
 * Opens a connection to the first of some addresses that accepts it. The attempts overlap: each goes on while the next
 * one starts, so a slow address is reached, too. The caller's own time-out ends all of them by `destroy`. Node's
 * autoSelectFamily, in contrast, ends each attempt but the last after half a second.
 *
 * @param done - called once, with the connected socket or with the error. The error of several addresses has the code
 *   of the first one.
 */
export function connectFirst(
  addresses: readonly HostAddress[],
  port: number,
  done: (error: NodeJS.ErrnoException | null, socket: Socket | null) => void,
): Opening {
  const left = alternating(addresses).slice(0, ADDRESSES_MAX);
  const open = new Set<Socket>();
  const faults: NodeJS.ErrnoException[] = [];
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    left.length = 0;
    for (const socket of open) socket.destroy();
    open.clear();
  };
  const next = (): void => {
    clearTimeout(timer);
    const address = left.shift();
    if (address === undefined) return;
    // The size is that of undici's sockets. Node's types do not know the option here.
    const options = { host: address.address, port, family: address.family, highWaterMark: 65_536 };
    const socket = connect(options);
    open.add(socket);
    // An error between two listeners must not end the process.
    socket.on("error", () => undefined);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (!open.delete(socket)) return;
      faults.push(error);
      if (left.length > 0) next();
      else if (open.size === 0) done(joined(faults), null);
    });
    socket.once("connect", () => {
      if (!open.delete(socket)) return;
      end();
      done(null, socket);
    });
    if (left.length > 0) timer = setTimeout(next, NEXT_ATTEMPT_MS);
  };
  next();
  return { destroy: end };
}

/** The addresses in turn of both families. The family of the first address comes first (RFC 8305, 4). */
function alternating(addresses: readonly HostAddress[]): HostAddress[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
  return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [first[i], second[i]])
    .flat()
    .filter((address) => address !== undefined);
}

function joined([first, ...others]: readonly NodeJS.ErrnoException[]): NodeJS.ErrnoException {
  const error = first as NodeJS.ErrnoException;
  if (others.length === 0) return error;
  const all = [error, ...others];
  const message = all.map((one) => one.message).join("; ");
  return Object.assign(new AggregateError(all, message), { code: error.code ?? "" });
}
