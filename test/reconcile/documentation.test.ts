/** The commands of docs/reconciliation.md, run as written against a service and the sandbox's merchant. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";
import { startMerchant } from "../../sandbox/merchant/merchant.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../testbed/callers/grpc-caller.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { startAdministered } from "../cli/service.ts";
import { page } from "../docs/markdown.ts";

const bash = promisify(execFile);
const CODE = "casa-luna-brl";

test("the steps of docs/reconciliation.md lead from a ledger to its differences", async (t) => {
  const admin = await startAdministered(t);
  await admin.done("brand create --code casa-luna");
  const made = await admin.done(`merchant create --code ${CODE} --brand casa-luna --currency BRL --products slot`);
  const secret = String(made.secret);
  const serviceUrl = `http://127.0.0.1:${admin.service.ports.rest}`;
  const site = await startMerchant({
    serviceUrl,
    host: "127.0.0.1",
    port: 0,
    walletPort: 0,
    gameOrigins: "http://localhost",
    sportsbookOrigin: "http://localhost",
    merchants: [{ code: CODE, secret, currency: "BRL" }],
  });
  t.teardown(() => site.close());
  await admin.done(`merchant set --code ${CODE} --wallet-url ${site.walletUrl} --reason 'it listens'`);
  const { key } = await admin.done("provider create --code ACME");
  await admin.done(`provider add-source --code ACME --address ${admin.games.address}`);
  await admin.done("game import --file test/cli/games.json");

  const [player = ""] = Object.values(await playersAt(site.port));
  t.like(
    await signedCall(serviceUrl, { code: CODE, secret }, "POST", "/v1/game/launch", {
      player_id: player,
      game: "fruits",
    }),
    { ok: true },
  );
  const provider = new GrpcCaller(t, admin.service.ports.grpc);
  const sessionId = admin.games.opened.at(-1)?.sessionId ?? "";
  const money = { sessionId, roundId: "r1", amountMinor: 250n, currency: "BRL" };
  /** Repeats a request that was refused with OVERLOADED. Such a request wrote nothing. */
  const played = async (call: (how: { keys: string[]; deadline: number }) => Promise<unknown>): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const failed = await call({ keys: [String(key)], deadline: Date.now() + 20_000 }).then(() => undefined, String);
      if (failed === undefined) return;
      if (!failed.includes("OVERLOADED") || tries === 50) throw new Error(failed);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  for (const txId of ["1", "2"])
    await played((how) => provider.call(WalletService.method.placeBet, { ...money, txId }, how));
  await played((how) => provider.call(WalletService.method.payWin, { ...money, txId: "3", amountMinor: 1_000n }, how));

  const [equal = "", broken = "", ...more] = [...page("docs/reconciliation.md").matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, code = ""]) => code,
  );
  t.deepEqual(more, []);
  // Replaces the values that differ on a reader's machine, and the secret that a reader copies.
  const here = (script: string) =>
    script
      .replaceAll("localhost:3000", `127.0.0.1:${site.port}`)
      .replaceAll("/tmp/", `${admin.folder}/`)
      .replaceAll("sk_...", secret);
  const env = { ...process.env, API_URL: serviceUrl };
  const run = (script: string) =>
    bash("bash", ["-e", "-c", here(script)], { env }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );

  const first = await run(equal);
  t.is(first.code, 0, first.stdout);
  t.regex(
    first.stdout,
    /^casa-luna-brl, from .*\n3 lines of the ledger, 3 transactions of the service\n\nEqual: no differences\.\n$/,
  );
  const second = await run(`${equal.split("\n")[1]}\n${broken}`);
  t.is(second.code, 1, second.stdout);
  t.regex(second.stdout, /^duplicate \(1\): .*\n.*\n {2}ACME:2 /m);
  t.regex(second.stdout, /^missing_there \(1\): .*\n.*\n {2}ACME:1 /m);
});

async function playersAt(port: number): Promise<string[]> {
  const { currencies } = (await (await fetch(`http://127.0.0.1:${port}/api/session`)).json()) as {
    currencies: { players: { id: string }[] }[];
  };
  return currencies.flatMap(({ players }) => players.map(({ id }) => id));
}
