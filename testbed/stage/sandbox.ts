/** `npm start` on free ports: the service with the sandbox around it. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { freePorts } from "../programs/ports.ts";

/** On a busy machine five processes start slowly. */
const START_TIMEOUT_MS = 240_000;
const SERVICE_PORTS = ["REST_PORT", "GRPC_PORT", "INTERNAL_GRPC_PORT", "INTERNAL_HTTP_PORT"];
const SANDBOX_PORTS = ["MERCHANT_PORT", "PROVIDER_PORT", "PROVIDER_GRPC_PORT", "WALLET_PORT", "SPORTSBOOK_PORT"];
const CONNECTOR_PORTS = ["HUB88", "EVOLUTION"].flatMap((name) => [
  `${name}_CONNECTOR_PORT`,
  `${name}_CONNECTOR_GRPC_PORT`,
]);

export interface StartedSandbox {
  /** The merchant's site. */
  readonly url: string;
  /** The wallet's address. It also serves the wallet's page. */
  readonly wallet: string;
  /** The address of the provider's page. */
  readonly provider: string;
  /** The API's reference page, with the merchant's credentials behind its #. */
  readonly reference: string;
  /** The sportsbook's origin. */
  readonly sportsbook: string;
  /** The admin key of this start. */
  readonly adminKey: string;
  /** The output of `npm start`. */
  readonly printed: string;
  /** The process with merchant, provider and sportsbook. On Linux only. */
  readonly sandboxPid: () => number;
  /** Stops `npm start`. Resolves to its exit code and to all that it printed. */
  close(): Promise<{ readonly code: number | null; readonly output: string }>;
}

/** @param more - environment variables of the service and the sandbox. */
export async function startSandbox(more: Readonly<Record<string, string>>): Promise<StartedSandbox> {
  const names = [...SERVICE_PORTS, ...SANDBOX_PORTS, ...CONNECTOR_PORTS];
  const ports = await freePorts(names.length);
  const adminKey = randomBytes(32).toString("base64");
  const env = {
    ...process.env,
    SANDBOX_ADMIN_KEY: adminKey,
    ...more,
    ...Object.fromEntries(names.map((name, i) => [name, String(ports[i])])),
  };
  const child = spawn(process.execPath, ["src/start.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const killWithUs = (): void => void child.kill("SIGTERM");
  process.once("exit", killWithUs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (output += chunk));
  await untilPrinted(child, () => output);
  const printed = output;
  const address = (of: string) => new RegExp(`${of} +(\\S+)\n`).exec(printed)?.[1] ?? "";
  return {
    url: address("Merchant's site"),
    wallet: address("Merchants' wallet"),
    provider: address("Provider's games"),
    reference: address("API reference"),
    sportsbook: new URL(address("Sportsbook")).origin,
    adminKey,
    printed,
    // The service starts the sandbox as its first child, before the connectors.
    sandboxPid: () =>
      Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ")[0]),
    async close() {
      process.off("exit", killWithUs);
      const ended = once(child, "close");
      child.kill("SIGTERM");
      const [code] = await ended;
      return { code, output };
    },
  };
}

/** Resolves when the addresses are printed, before which the sandbox must not end. */
async function untilPrinted(child: ChildProcess, output: () => string): Promise<void> {
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!output().includes("Ctrl+C")) {
    if (late.aborted || child.exitCode !== null) throw new Error(`the sandbox did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
