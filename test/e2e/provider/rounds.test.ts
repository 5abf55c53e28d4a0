import test from "ava";
import { RoundState, WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { startWorldOfProcesses } from "../../../testbed/stage/world.ts";

const { endRound, getRound } = WalletService.method;

test("an end that one replica has acknowledged counts on every other, even the first of a provider", async (t) => {
  t.timeout(120_000);
  const world = await startWorldOfProcesses(t);
  const { first, keys } = world;
  const second = await world.start();
  const sessionId = await world.session();
  const state = async (roundId: string) => {
    const { roundState, endedAt } = await world.callerOf(second).call(getRound, { sessionId, roundId }, { keys });
    return [roundState, endedAt !== undefined];
  };
  t.is(await world.request("bet", { sessionId, txId: "old", roundId: "old" }), "success");
  t.deepEqual(await state("old"), [RoundState.UNKNOWN, false]);
  t.is(await world.request("bet", { sessionId, txId: "b1" }), "success");
  const ended = await world.callerOf(first).call(endRound, { roundId: "r1" }, { keys });
  t.is(ended.roundState, RoundState.ENDED, "without a merchant, it ends wherever it is stored");
  t.is(await world.request("bet", { sessionId, txId: "b2" }, second), "ROUND_ENDED");
  t.is(await world.request("bet", { sessionId, txId: "b2" }, first), "ROUND_ENDED");
  t.is(await world.request("bet", { sessionId, txId: "b1" }, second), "success", "a known bet");
  t.is(await world.request("win", { sessionId, txId: "w1" }, second), "success");
  t.deepEqual(await state("r1"), [RoundState.ENDED, true]);
  t.deepEqual(await world.callerOf(second).call(endRound, { roundId: "r1" }, { keys }), ended, "a repeat");
  t.is(await world.request("bet", { sessionId, txId: "b3", roundId: "r2" }, second), "success");
  t.deepEqual(await state("r2"), [RoundState.OPEN, false], "at once, although the list has it a moment later");
  t.is(await world.request("win", { sessionId, txId: "w3", roundId: "r2", roundEnded: true }, second), "success");
  t.is(await world.request("bet", { sessionId, txId: "b4", roundId: "r2" }, first), "ROUND_ENDED");
  const nowhere = await world.callerOf(first).call(endRound, { roundId: "none" }, { keys });
  t.is(nowhere.roundState, RoundState.UNKNOWN);
  await world.callerOf(first).call(endRound, { sessionId, roundId: "none" }, { keys });
  t.is(await world.request("bet", { sessionId, txId: "b5", roundId: "none" }, second), "ROUND_ENDED");
  t.true(world.callbacks.some(({ body }) => body.endsWith('"round_id":"r2","amount":2.5,"round_ended":true}')));
});
