import { randomBytes } from "node:crypto";

/** The service listens on free ports. */
export const FREE_PORTS = { REST_PORT: "0", GRPC_PORT: "0", INTERNAL_GRPC_PORT: "0", INTERNAL_HTTP_PORT: "0" } as const;

/** The merchants' wallets are on this machine and use plain HTTP. */
export const LOCAL_WALLETS = { WALLET_ALLOW_HTTP: "true", WALLET_ALLOW_PRIVATE: "true" } as const;

/**
 * The variables that every service on this machine needs: loopback, free ports, a database and keys. Each call makes a
 * new JWT_KEY.
 */
export const serviceEnvironment = (databaseUrl: string, masterKey: Uint8Array): Record<string, string> => ({
  ENVIRONMENT: "development",
  HOST: "127.0.0.1",
  ...FREE_PORTS,
  DATABASE_URL: databaseUrl,
  MASTER_KEY: Buffer.from(masterKey).toString("base64"),
  JWT_KEY: randomBytes(32).toString("base64"),
});
