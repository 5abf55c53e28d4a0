/** All tests of wallet calls, with the client that WALLET_HTTP_CLIENT=undici chooses. */
import "./choose-undici.ts";
import "../http-wallet.test.ts";
import "../http-wallet-alerts.test.ts";
import "../http-wallet-connections.test.ts";
import "../http-wallet-ping.test.ts";
import "../http-wallet-tls.test.ts";
import "../interim-replies.test.ts";
import "../other-servers.test.ts";
import test from "ava";
import { CLIENT } from "../wallet-fixture.ts";

test("these tests call wallets with undici", (t) => {
  t.is(CLIENT, "undici");
});
