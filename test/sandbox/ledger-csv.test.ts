import test from "ava";
import { type Action, Ledger } from "../../sandbox/merchant/ledger.ts";
import { ledgerCsv } from "../../sandbox/merchant/ledger-csv.ts";
import { startMerchant } from "../../sandbox/merchant/merchant.ts";

const callback = (action: Action, tx_id: string, amount: number, more: object = {}) => ({
  action,
  tx_id,
  amount,
  player_id: "ana",
  round_id: 'r,"1"',
  provider: "ACME",
  game: "fruits",
  currency: "BRL",
  ...more,
});

test("a merchant's CSV ledger has the applied transactions of its wallet with exact amounts, and no rejected transaction", (t) => {
  const ledger = new Ledger();
  for (const code of ["casa", "other"]) {
    ledger.addMerchant(code, "BRL");
    ledger.addPlayer(code, "ana", 1_000n);
  }
  ledger.apply("casa", callback("bet", "ACME:1", 2.5));
  ledger.apply("casa", callback("bet", "ACME:2", 99));
  ledger.apply("casa", callback("refund", "ACME:3", 2.5, { ref_tx_id: "ACME:1" }));
  ledger.apply("other", callback("bet", "ACME:1", 1));
  t.is(
    ledgerCsv(ledger.effects, "casa", "BRL"),
    [
      "tx_id,action,amount,currency,status,player_id,round_id,ref_tx_id",
      'ACME:1,bet,2.50,BRL,success,ana,"r,""1""",',
      'ACME:3,refund,2.50,BRL,success,ana,"r,""1""",ACME:1',
      "",
    ].join("\r\n"),
  );
});

test("the sandbox merchant's site serves a merchant's ledger, and refuses a request that names no merchant or an unknown one", async (t) => {
  const site = await startMerchant({
    serviceUrl: "http://127.0.0.1:9",
    host: "127.0.0.1",
    port: 0,
    walletPort: 0,
    gameOrigins: "http://localhost",
    sportsbookOrigin: "http://localhost",
    merchants: [{ code: "casa", secret: "sk_x", currency: "CLP" }],
  });
  t.teardown(() => site.close());
  const get = (query: string) => fetch(`http://127.0.0.1:${site.port}/api/ledger.csv${query}`);
  const reply = await get("?merchant=casa");
  t.is(reply.headers.get("content-type"), "text/csv; charset=utf-8");
  t.is(await reply.text(), "tx_id,action,amount,currency,status,player_id,round_id,ref_tx_id\r\n");
  t.deepEqual([(await get("")).status, (await get("?merchant=nobody")).status], [401, 404]);
});
