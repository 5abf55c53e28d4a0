/** Wallets with invalid replies. The pass of each wallet runs to its end, and the report names the fault. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import { certify } from "../../../certify/wallet/certify.ts";
import type { Pass } from "../../../certify/wallet/pass.ts";
import { reportOf } from "../../../certify/wallet/report.ts";
import { type Fault, NO_FAULT } from "../../../sandbox/merchant/faults.ts";
import { Ledger } from "../../../sandbox/merchant/ledger.ts";
import { startWallet } from "../../../sandbox/merchant/wallet.ts";
import { nameOf, planOf } from "./passes.ts";

const SERVER_ERROR =
  "Your server answered with a status of 500 or above, which means that it does not know. Look at its error log. A rejection has a status below 500. ";
const NO_ANSWER = "Your server did not answer. Look at its connections, listen queue, locks and error log. ";

interface Broken {
  readonly fault: Fault;
  readonly received: RegExp;
  readonly isUnanswered?: true;
}

const FAULTS: readonly Broken[] = [
  { fault: { kind: "http_500" }, received: /HTTP 500/ },
  { fault: { kind: "html" }, received: /Maintenance/ },
  { fault: { kind: "garbage" }, received: /HTTP 200 / },
  { fault: { kind: "reset" }, received: /The connection failed: ECONNRESET/, isUnanswered: true },
  { fault: { kind: "truncated" }, received: /closed in the middle of the reply/, isUnanswered: true },
  { fault: { kind: "endless" }, received: /over 64 KiB/ },
  { fault: { kind: "slow", ms: 9_000 }, received: /No complete reply within 8 s/, isUnanswered: true },
];

const fixOf = (pass: Pass, id: string): string | undefined =>
  reportOf(pass).cases.find((one) => one.id === id)?.finding?.fix;

for (const { fault, received, isUnanswered } of FAULTS) {
  test(`if a wallet's replies have the fault ${fault.kind} from the second on, the run ends and the report names the fault`, async (t) => {
    const ledger = new Ledger();
    ledger.addMerchant("shop", "BRL");
    for (const id of ["ana", "rui"]) ledger.addPlayer("shop", id, 10_000n);
    let callbacks = 0;
    const wallet = await startWallet({
      ledger,
      secretsOf: (code) => (code === "shop" ? ["sk_shop"] : []),
      // The first balance query of each player is answered, because the test need not wait for more than one slow
      // reply.
      onCallback: () => {
        callbacks += 1;
        if (callbacks === 2) wallet.setFault(fault);
        if (callbacks > 2 && fault.kind === "slow") wallet.setFault(NO_FAULT);
      },
    });
    t.teardown(() => wallet.close());
    const { other: _other, blocked: _blocked, ...plan } = planOf(new URL(wallet.url));
    const pass = await certify({ ...plan, only: ["actions/unknown-player", "format/in-time"] });
    const { outcomes } = pass;
    const isComplete = /^(http_500|html|garbage)$/.test(fault.kind);
    t.deepEqual(outcomes.filter(({ status }) => status === "passed").map(nameOf), isComplete ? ["format/in-time"] : []);
    const judged = outcomes.find((outcome) => nameOf(outcome) === "actions/unknown-player");
    t.is(judged?.status, "failed");
    t.regex(judged?.finding?.texts.received ?? "", received);
    const { fix } = judged?.case ?? {};
    t.is(
      fixOf(pass, "unknown-player"),
      `${isUnanswered ? NO_ANSWER : fault.kind === "http_500" ? SERVER_ERROR : ""}${fix}`,
    );
  });
}

/** A server that answers the first balance query and closes its port. */
async function closingServer(t: ExecutionContext): Promise<URL> {
  const server = createServer((_request, response) => {
    // The port is closed before the reply is sent, so the next callback is refused.
    server.close();
    response.setHeader("connection", "close").end('{"ok":true,"balance":1}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.closeAllConnections());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`);
}

test("if a wallet refuses connections, the fix names the server first", async (t) => {
  const { other: _other, blocked: _blocked, ...plan } = planOf(await closingServer(t), "BRL", ["ana"]);
  const pass = await certify({ ...plan, only: ["actions/unknown-player", "actions/bet"] });
  const [bet, unknown] = reportOf(pass).cases;
  t.regex(unknown?.finding?.received ?? "", /The connection failed: ECONNREFUSED/);
  t.true(unknown?.finding?.fix.startsWith(NO_ANSWER));
  t.true(bet?.unprepared);
  t.true(bet?.why?.endsWith(NO_ANSWER.trim()), bet?.why);
});
