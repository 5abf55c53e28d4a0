/** A real service whose merchant has a kit's example wallet. */
import type { ExecutionContext } from "ava";
import { merchantRecord, UNLIMITED } from "../../../testbed/directory/records.ts";
import { startWorld } from "../../../testbed/stage/world.ts";
import { OPENING_MINOR } from "./example.ts";

/** Plays rounds over gRPC, and asserts the results of the wallet at `url`. */
export async function assertPlays(t: ExecutionContext, url: URL): Promise<void> {
  const world = await startWorld(t);
  const [code, secret] = ["shop", "sk_shop"];
  const settings = { currency: "BRL", brand: "shop", products: ["slot"], limits: UNLIMITED } as const;
  world.secrets.set(code, secret);
  const merchant = merchantRecord(code, { ...settings, secret, walletUrl: url.href });
  await world.settings.save({ kind: "merchant", merchant });
  const sessionId = await launched(() => world.session(code));
  const round = { sessionId, roundId: "r/ã 1" };
  t.is(await world.request("bet", { ...round, txId: "b1" }), "success");
  t.is(await world.request("bet", { ...round, txId: "b1" }), "success");
  t.is(await world.request("win", { ...round, txId: "w1", amountMinor: 1_001n }), "success");
  t.is(await world.request("rollback", { ...round, txId: "r1", refTxId: "w1", amountMinor: 1_001n }), "success");
  t.is(await world.request("bet", { ...round, txId: "b2", amountMinor: 99_999_999n }), "failed:INSUFFICIENT_FUNDS");
  t.is(await world.request("refund", { ...round, txId: "f1", refTxId: "b1" }), "success");
  const reply = await world.rest("GET", "/v1/transactions?order=asc", undefined, code);
  const { items } = (reply.ok ? reply.data : {}) as { items?: readonly { tx_id: string; balance: number | null }[] };
  t.deepEqual(
    items?.map(({ tx_id, balance }) => [tx_id, balance]),
    [
      ["ACME:b1", (OPENING_MINOR - 250) / 100],
      ["ACME:w1", (OPENING_MINOR + 751) / 100],
      ["ACME:r1", (OPENING_MINOR - 250) / 100],
      ["ACME:b2", null],
      ["ACME:f1", OPENING_MINOR / 100],
    ],
  );
}

/** Repeats the launch: the service reads a new merchant's settings only after up to a second. */
async function launched(launch: () => Promise<string>): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await launch();
    } catch (cause) {
      if (tries === 50) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
