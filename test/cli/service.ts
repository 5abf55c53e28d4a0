/** A fresh service in its own process, with an admin key and without settings, and the command line for it. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import type { OpenGameRequest } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { startGameService } from "../../testbed/provider/game-service.ts";
import { LOCAL_WALLETS, serviceEnvironment } from "../../testbed/service/environment.ts";
import { Replica } from "../../testbed/service/replica.ts";
import { type CommandResult, type TypedOptions, typed } from "./typed.ts";

export const ADMIN_KEY = "change-me";

export type Administered = Awaited<ReturnType<typeof startAdministered>>;

interface Lifetime {
  teardown(undo: () => unknown): void;
}

/** @param databaseUrl - an empty database; by default a new SQLite file. */
export async function startAdministered(t: Lifetime, env: Readonly<Record<string, string>> = {}, databaseUrl?: string) {
  const folder = mkdtempSync(join(tmpdir(), "admin-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const own = serviceEnvironment(databaseUrl ?? `sqlite:${join(folder, "service.db")}`, randomBytes(32));
  const service = await Replica.start({ ...own, ...LOCAL_WALLETS, ADMIN_KEY, ...env }, ["--migrate"]);
  t.teardown(() => service.process.kill("SIGKILL"));
  const opened: OpenGameRequest[] = [];
  const games = await startGameService(opened);
  t.teardown(() => games.close());
  const url = `http://127.0.0.1:${service.ports.internalHttp}`;

  const admin = async (line: string, { env: more = {}, ...options }: TypedOptions = {}): Promise<CommandResult> => {
    for (let tries = 1; ; tries++) {
      const result = await typed(line, { ...options, env: { ADMIN_URL: url, ADMIN_KEY, ...more } });
      // A service on a busy machine may refuse because its settings are stale. Only reads may be repeated.
      if (!result.err.startsWith("Refused: SERVICE_UNAVAILABLE") || !/^\w+ (list|show) ?/.test(line) || tries === 20)
        return result;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  return {
    folder,
    /** Writes a file for a command to read. */
    file(name: string, text: string): string {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    /** The reply to a merchant's signed call of GET /v1/merchant. */
    callAs: (code: string, secret: unknown) =>
      signedCall(`http://127.0.0.1:${service.ports.rest}`, { code, secret: String(secret) }, "GET", "/v1/merchant"),
    service,
    url,
    /** A game server that opens every game, with its requests. */
    games: { address: `http://127.0.0.1:${games.port}`, port: games.port, opened },
    /** Runs a command line and accepts any exit code. */
    admin,
    /** Runs a command line with --json and returns the record or page. A refusal fails the test. */
    async done(line: string, options: TypedOptions = {}): Promise<JsonObject> {
      const result = await admin(`${line} --json`, options);
      if (result.code !== 0) throw new Error(`${line} ended with ${result.code}:\n${result.err}`);
      return JSON.parse(result.out) as JsonObject;
    },
  };
}
