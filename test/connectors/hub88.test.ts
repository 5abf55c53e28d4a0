import test from "ava";
import { hubFields, startHubStage } from "../../testbed/connectors/hub88.ts";

test("a player opens a game of Hub88, bets, wins, and a bet is rolled back: the wallet has the same money as Hub88", async (t) => {
  const hub = await startHubStage(t);
  const who = await hub.open();
  t.regex(who.user, /^[0-9a-f]{32}$/);
  t.regex(who.token, /^[A-Za-z0-9_-]{32}$/);

  const balance = await hub.call("balance", { ...who, request_uuid: "b", game_code: "lucky" });
  t.like(balance, { status: "RS_OK", user: who.user, request_uuid: "b", currency: "BRL", balance: 10_000_000 });

  const bet = hubFields(who);
  t.like(await hub.call("bet", bet), { status: "RS_OK", balance: 9_750_000, request_uuid: bet.request_uuid });
  t.like(await hub.call("bet", bet), { status: "RS_OK", balance: 9_750_000 });
  const win = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid, amount: 600_000, round: bet.round });
  t.like(await hub.call("win", win), { status: "RS_OK", balance: 10_350_000 });
  t.like(await hub.call("win", win), { status: "RS_OK", balance: 10_350_000 });

  const second = hubFields(who);
  t.like(await hub.call("bet", second), { status: "RS_OK", balance: 10_100_000 });
  const { amount: _, currency: __, ...names } = hubFields(who, { reference_transaction_uuid: second.transaction_uuid });
  t.like(await hub.call("rollback", names), { status: "RS_OK", balance: 10_350_000 });
  t.like(await hub.call("rollback", names), { status: "RS_OK", balance: 10_350_000 });
  t.is(hub.balance(), 10_350n);
});
