/** Compares the fake aggregator with the real service: the same calls must get the same replies. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import test from "ava";
import { Aggregator } from "../../../certify/provider/aggregator/aggregator.ts";
import { refusalError } from "../../../certify/provider/aggregator/refusal.ts";
import { newPlayer, Session } from "../../../certify/provider/aggregator/session.ts";
import { providerV1 } from "../../../sandbox/provider/wallet-client.ts";
import { unwrap } from "../../../src/adapters/grpc/server/refusal-error.ts";
import { ERRORS, type ErrorCode, refuse } from "../../../src/domain/errors.ts";
import type { OpenGameRequest } from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { startGameService } from "../../../testbed/provider/game-service.ts";
import { KEY, MERCHANT, SECRET, startAggregator, startWallet } from "../../docs/running-service.ts";

interface Address {
  readonly at: string;
  readonly sessionId: string;
  readonly playerRef: string;
}

type Fields = Readonly<Record<string, string | number>>;
type Unary = (
  request: Fields,
  metadata: grpc.Metadata,
  callback: (error: grpc.ServiceError | null, reply?: object) => void,
) => void;

/** A caller's reply without the balance. An error has its details, byte for byte. */
function call(client: grpc.Client, rpc: string, request: Fields, key: string): Promise<unknown> {
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${key}`);
  return new Promise((resolve) => {
    (client as unknown as Record<string, Unary>)[rpc]?.(request, metadata, (error, reply) => {
      if (error === null) {
        const { balance_minor, ...others } = reply as { balance_minor?: string };
        return resolve({ ...others, hasBalance: balance_minor !== undefined });
      }
      const details = error.metadata.get("grpc-status-details-bin").map(String);
      resolve({
        code: error.code,
        message: decodeURIComponent(error.details),
        reason: error.metadata.get("error-code"),
        details,
      });
    });
  });
}

/** Calls in their order; `session_id` and `player_ref` are filled in. */
function callsOf({ sessionId, playerRef }: Address): (readonly [rpc: string, fields: Fields, key?: string])[] {
  const bet = { session_id: sessionId, tx_id: "b-1", round_id: "r-1", amount_minor: 250, currency: "BRL" };
  const refund = { ...bet, tx_id: "f-1", ref_tx_id: "b-1" };
  const win = { ...bet, tx_id: "w-1", amount_minor: 700 };
  const rollback = { ...win, tx_id: "k-1", ref_tx_id: "w-1" };
  return [
    ["GetBalance", { session_id: sessionId }],
    ["GetBalance", { player_ref: playerRef, game: "book-of-x" }],
    ["GetBalance", { player_ref: playerRef }],
    ["GetBalance", { session_id: "nobody" }],
    ["GetBalance", {}],
    ["GetBalance", { session_id: sessionId }, "wrong"],
    ["PlaceBet", bet],
    ["PlaceBet", bet],
    ["PlaceBet", { ...bet, amount_minor: 300 }],
    ["PlaceBet", { ...bet, round_id: "r-2" }],
    ["PayWin", { ...bet, amount_minor: 250 }],
    ["PlaceBet", { ...bet, tx_id: "b-2", amount_minor: 99_999_999_999 }],
    ["PlaceBet", { ...bet, tx_id: "b-2", amount_minor: 99_999_999_999 }],
    ["RefundBet", { ...bet, tx_id: "f-2", ref_tx_id: "b-2", amount_minor: 99_999_999_999 }],
    ["PlaceBet", { ...bet, tx_id: "" }],
    ["PlaceBet", { ...bet, tx_id: "x".repeat(96) }],
    ["PlaceBet", { ...bet, tx_id: "b-3", round_id: "a\nb" }],
    ["PlaceBet", { ...bet, tx_id: "b-3", session_id: "" }],
    ["PlaceBet", { ...bet, tx_id: "b-3", amount_minor: -1 }],
    ["PlaceBet", { ...bet, tx_id: "b-3", amount_minor: 1_000_000_000_000 }],
    ["PlaceBet", { ...bet, tx_id: "b-3", currency: "USD" }],
    ["PlaceBet", { ...bet, tx_id: "b-3", amount_minor: 0 }],
    ["PayWin", win],
    ["PayWin", win],
    ["PayWin", { ...win, tx_id: "w-2", session_id: "", player_ref: playerRef, game: "book-of-x" }],
    ["RefundBet", { ...refund, ref_tx_id: "f-1" }],
    ["RefundBet", { ...refund, ref_tx_id: "w-1", amount_minor: 700 }],
    ["RefundBet", { ...refund, amount_minor: 100 }],
    ["RefundBet", refund],
    ["RefundBet", refund],
    ["RefundBet", { ...refund, tx_id: "f-3" }],
    ["PlaceBet", bet],
    ["RefundBet", { ...refund, tx_id: "f-4", ref_tx_id: "never" }],
    ["PlaceBet", { ...bet, tx_id: "never" }],
    ["RollbackWin", rollback],
    ["RollbackWin", rollback],
    ["PayWin", win],
  ];
}

/** On a busy machine the service may be OVERLOADED. Nothing was recorded then, so the call is repeated. */
async function answered(...words: Parameters<typeof call>): Promise<unknown> {
  for (;;) {
    const reply = await call(...words);
    if ((reply as { message?: string }).message !== "OVERLOADED") return reply;
    await sleep(250);
  }
}

async function repliesOf(address: Address, key: string): Promise<unknown[]> {
  const client = new providerV1.WalletService(address.at, grpc.credentials.createInsecure());
  const replies: unknown[] = [];
  for (const [rpc, fields, other] of callsOf(address))
    replies.push({
      rpc,
      fields: { ...fields, session_id: "", player_ref: "" },
      reply: await answered(client, rpc, fields, other ?? key),
    });
  client.close();
  return replies;
}

test("the same calls get the same replies from the fake aggregator and from the service", async (t) => {
  t.timeout(60_000);
  const wallet = await startWallet(t);
  const opened: OpenGameRequest[] = [];
  const games = await startGameService(opened);
  t.teardown(() => games.close());
  const { base, grpc: at } = await startAggregator(t, {
    walletUrl: wallet.url,
    source: `http://127.0.0.1:${games.port}`,
  });
  const env = { ...process.env, BASE: base, MERCHANT, SECRET };
  await promisify(execFile)("sh", [join(wallet.folder, "launch.sh")], { env });
  const { sessionId = "", playerRef = "" } = opened[0] ?? {};
  const real = await repliesOf({ at, sessionId, playerRef }, KEY);

  const fake = new Aggregator("ACME", KEY, { host: "127.0.0.1", port: 0 });
  await fake.listen();
  t.teardown(() => fake.close());
  const session = new Session({ ...newPlayer(), balanceMinor: 10_000n }, "book-of-x", "BRL", false, {});
  fake.add(session);
  const faked = await repliesOf({ at: fake.address, sessionId: session.id, playerRef: session.player.ref }, KEY);
  t.true(real.length > 30);
  for (const [i, reply] of real.entries()) t.deepEqual(faked[i], reply);
});

test("for every code, the fake's refusal equals the service's refusal", (t) => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const real = t.throws(() => unwrap(refuse(code, { field: "amount" })));
    const fake = refusalError({ code, field: "amount" });
    t.deepEqual(
      [fake.message, [...fake.metadata], fake.details],
      [real?.message, [...(real as typeof fake).metadata], (real as typeof fake).details],
    );
  }
});
