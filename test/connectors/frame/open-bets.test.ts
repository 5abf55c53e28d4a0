/** The answer to a bet that the connector itself may reverse: two replicas share one database, and the first answer decides. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { Store } from "../../../connectors/frame/state/store.ts";

const LATER = 3_600_000;
const STANDS = { content: "a bet", balance: 9_750n };
const UNKNOWN = { content: "a bet", balance: undefined };
const BET = { playerRef: "ana", game: "lucky", amount: "250" };

async function replicas(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), "open-bets-"));
  const open = () => Store.open(`sqlite:${join(folder, "c.db")}`, "evolution", new Uint8Array(32));
  const stores = [await open(), await open()] as const;
  t.teardown(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  });
  return [stores[0].bets, stores[1].bets] as const;
}

test("after the answer that a bet stands, every copy is told so, with the balance, and nothing reverses it", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, 0);
  t.deepEqual(await one.decide("b1", "taken", STANDS), { state: "taken" });
  t.deepEqual(
    await two.decide("b1", "ending", UNKNOWN),
    { state: "taken", balance: 9_750n },
    "a copy without an outcome",
  );
  t.deepEqual(
    await two.decide("b1", "refused", UNKNOWN),
    { state: "taken", balance: 9_750n },
    "a copy after the session",
  );
  t.deepEqual(await two.decide("b1", "ending", { ...UNKNOWN, content: "another bet" }), { state: "taken" });
  await two.arm("b1", BET, 0);
  t.deepEqual(await two.decide("b1", "taken", { ...STANDS, balance: 1n }), { state: "taken", balance: 9_750n });
  t.deepEqual(await one.due(10, LATER), []);
});

test("after the answer that nobody knows, a copy that was under way is not told that the bet stands, and it is reversed", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, 0);
  await two.arm("b1", BET, 0);
  t.deepEqual(await one.decide("b1", "ending", UNKNOWN), { state: "ending" });
  t.deepEqual(await two.decide("b1", "taken", STANDS), { state: "ending" });
  t.deepEqual(await two.due(10, LATER), [{ id: "b1", ...BET, attempts: 1 }]);
  t.deepEqual(await one.due(10, LATER), [], "one replica reverses it");
  await two.close("b1", "ended");
  t.deepEqual(await one.decide("b1", "taken", STANDS), { state: "ended" });
});

test("a copy that comes after an answer without an outcome may try again, until the reversal has begun", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, LATER);
  await one.decide("b1", "ending", UNKNOWN);
  await two.arm("b1", BET, LATER);
  t.deepEqual(await two.decide("b1", "taken", STANDS), { state: "taken" });
  await one.arm("b2", BET, 0);
  await one.decide("b2", "ending", UNKNOWN);
  t.is((await one.due(10, LATER)).length, 1);
  await two.arm("b2", BET, LATER);
  t.deepEqual(await two.decide("b2", "taken", STANDS), { state: "ending" });
});

test("a bet whose reversal has begun before its first answer is not told to stand", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, 0);
  t.is((await two.due(10, LATER)).length, 1);
  t.deepEqual(await one.decide("b1", "taken", STANDS), { state: "ending" });
});

test("a refused bet is not reversed, may come again, and is reversed if a copy of it was taken", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, 0);
  t.deepEqual(await one.decide("b1", "refused", UNKNOWN), { state: "refused" });
  t.deepEqual(await one.due(10, LATER), []);
  // Evolution's bet at an unknown table comes again under the game of its session.
  await one.arm("b1", { ...BET, game: "table" }, 0);
  t.is((await one.count()).armed, 1);
  t.deepEqual(await one.decide("b1", "refused", UNKNOWN), { state: "refused" });
  t.deepEqual(
    await two.decide("b1", "taken", STANDS),
    { state: "ending" },
    "the provider was told that nothing was taken",
  );
  t.deepEqual(await two.due(10, LATER), [{ id: "b1", ...BET, game: "table", attempts: 1 }]);
});

test("a bet that the provider itself has settled or reversed stays as it is", async (t) => {
  const [one, two] = await replicas(t);
  await one.arm("b1", BET, 0);
  await one.decide("b1", "ending", UNKNOWN);
  await two.close("b1");
  await one.arm("b1", BET, 0);
  t.deepEqual(await one.decide("b1", "ending", UNKNOWN), { state: "closed" });
  t.deepEqual(await one.due(10, LATER), []);
  t.deepEqual(await one.count(), { armed: 0, debt: 0 });
  await one.owe("b1", { playerRef: "ana", game: "lucky" });
  await two.owe("b1", { playerRef: "ana", game: "lucky" });
  t.deepEqual(await two.count(), { armed: 0, debt: 1 });
});
