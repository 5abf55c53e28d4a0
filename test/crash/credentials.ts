/**
 * CP16 and CP17: a process dies or is paused when it has stored a used nonce or launch token, and has done nothing
 * else. Neither the nonce nor the token is ever accepted twice.
 */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { SessionService } from "../../src/gen/aggregator/sportsbook/v1/session_service_pb.ts";
import { signedCall, signedRequest } from "../../testbed/callers/signed-call.ts";
import type { DatabaseServer } from "../../testbed/database/server.ts";
import { addSportsbook } from "../../testbed/directory/sportsbook.ts";
import { type Violation, violation } from "../../testbed/judge/record.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { Installation } from "../../testbed/stage/installation.ts";

const PAUSE_MS = 1_000;
const ASK_MS = 10_000;

/** @param actions - the actions of failpoints. */
export async function credentialsUsedUp(
  server: Pick<DatabaseServer, "createDatabase">,
  actions: readonly string[] = ["kill", `pause=${PAUSE_MS}`],
): Promise<Violation[]> {
  const installation = await Installation.open({
    databaseUrl: await server.createDatabase(),
    merchants: 1,
    sessionsEach: 1,
    env: { SPORTSBOOK_URL: "https://sportsbook.example/at" },
  });
  try {
    const key = await addSportsbook(installation.settings);
    const survivor = await installation.startReplica();
    const violations: Violation[] = [];
    for (const action of actions) {
      violations.push(
        ...(await nonceUsedUp(installation, survivor, action)),
        ...(await tokenUsedUp(installation, survivor, key, action)),
      );
    }
    return violations;
  } finally {
    await installation.close();
  }
}

/** At most one copy of a request gets the merchant; after a kill no copy does. A fresh nonce works as before. */
async function nonceUsedUp(installation: Installation, survivor: Replica, action: string): Promise<Violation[]> {
  const [merchant] = installation.directory.merchants;
  if (merchant === undefined) throw new Error("an installation has a merchant");
  const victim = await installation.startReplica({ GAS_FAILPOINTS: `CP16:${action}` });
  const ask = signedRequest(merchant);
  const first = ask(victim.origin);
  await fired(victim);
  const copy = await ask(survivor.origin);
  const replies = [await first, copy, await ask(survivor.origin)];
  const fresh = await signedRequest(merchant)(survivor.origin);
  await victim.stop();
  const expected = action === "kill" ? "no reply, 401, 401; then 200" : "200, 401, 401; then 200";
  const seen = `${replies.join(", ")}; then ${fresh}`;
  return seen === expected
    ? []
    : [violation("I14", `CP16:${action}`, `copies of a request were answered ${seen}; expected ${expected}`)];
}

/** The same for a launch token. When a token is lost, another launch makes a new token. */
async function tokenUsedUp(
  installation: Installation,
  survivor: Replica,
  key: string,
  action: string,
): Promise<Violation[]> {
  const victim = await installation.startReplica({ GAS_FAILPOINTS: `CP17:${action}` });
  const token = await launch(installation, survivor);
  const first = exchange(victim, key, token);
  await fired(victim);
  const copy = await exchange(survivor, key, token);
  const replies = [await first, copy, await exchange(survivor, key, token)];
  const again = await exchange(survivor, key, await launch(installation, survivor));
  await victim.stop();
  const expected =
    action === "kill"
      ? "no reply, TOKEN_USED, TOKEN_USED; then session"
      : "session, TOKEN_USED, TOKEN_USED; then session";
  const seen = `${replies.join(", ")}; then ${again}`;
  return seen === expected
    ? []
    : [violation("I14", `CP17:${action}`, `copies of a launch token were answered ${seen}; expected ${expected}`)];
}

async function fired(victim: Replica): Promise<void> {
  for (const until = Date.now() + ASK_MS; !victim.output().includes('{"failpoint"') && Date.now() < until; )
    await new Promise((resolve) => setTimeout(resolve, 10));
}

async function launch({ directory }: Installation, on: Replica): Promise<string> {
  const [merchant] = directory.merchants;
  if (merchant === undefined) throw new Error("an installation has a merchant");
  const reply = await signedCall(on.origin, merchant, "POST", "/v1/game/launch", {
    player_id: merchant.sessions[0]?.playerId,
    game: "sportsbook",
  });
  if (!reply.ok) throw new Error(`launch failed: ${reply.code}`);
  return new URL(String((reply.data as { launch_url: string }).launch_url)).searchParams.get("jwt") ?? "";
}

/** `session`, the refusal's code, or `no reply`. */
function exchange({ ports }: Replica, key: string, token: string): Promise<string> {
  const { exchangeToken } = SessionService.method;
  const client = new Client(`127.0.0.1:${ports.grpc}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${key}`);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      `/${SessionService.typeName}/${exchangeToken.name}`,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => fromBinary(exchangeToken.output, bytes),
      Buffer.from(toBinary(exchangeToken.input, create(exchangeToken.input, { token }))),
      metadata,
      { deadline: Date.now() + ASK_MS },
      (error, reply) => {
        client.close();
        resolve(reply === undefined ? String(error?.metadata?.get("error-code")[0] ?? "no reply") : "session");
      },
    );
  });
}
