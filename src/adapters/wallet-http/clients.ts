import type { MakeConnection, WalletClient } from "./connection.ts";
import { SocketConnection } from "./http1/socket-connection.ts";
import { UndiciConnection } from "./undici/undici-connection.ts";

export const CLIENTS: Readonly<Record<WalletClient, MakeConnection>> = {
  own: (...args) => new SocketConnection(...args),
  undici: (...args) => new UndiciConnection(...args),
};
