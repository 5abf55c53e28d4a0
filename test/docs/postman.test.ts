import test from "ava";
// @ts-expect-error: it has no types.
import newman from "newman";
import { startWorld } from "../../testbed/stage/world.ts";
import { postmanFiles } from "../../tools/postman/files.ts";
import { page } from "./markdown.ts";

interface Executed {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number; text(): string };
  readonly requestError?: Error;
}

/** Runs the collection as it is checked in, and answers each request's status and what came back. */
function run(
  values: Readonly<Record<string, string>>,
  folder: readonly string[],
): Promise<{ name: string; status: number; text: string }[]> {
  const collection = JSON.parse(page("docs/postman/operator-api.postman_collection.json"));
  const environment = JSON.parse(page("docs/postman/operator-api.postman_environment.json"));
  const envVar = Object.entries(values).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) => {
    newman.run(
      { collection, environment, envVar, folder, reporters: [] },
      (error: Error | null, summary: { run: { executions: Executed[] } }) => {
        if (error !== null) return reject(error);
        resolve(
          summary.run.executions.map(({ item, response, requestError }) => ({
            name: item.name,
            status: response?.code ?? 0,
            text: response?.text() ?? String(requestError),
          })),
        );
      },
    );
  });
}

test("the Postman files are what the API's description makes (npm run postman)", (t) => {
  for (const [path, text] of Object.entries(postmanFiles())) t.is(page(path), text, path);
});

test("every request of the collection is signed, and answered: calls by the service, callbacks by a wallet", async (t) => {
  const world = await startWorld(t);
  const sessionId = await world.session();
  t.is(await world.say("bet", { sessionId, txId: "b1" }), "success");
  world.wallet.setFault({ kind: "rejected" });
  t.is(await world.say("win", { sessionId, txId: "w1é'/?" }), "failed:REJECTED");
  world.wallet.setFault({ kind: "none" });

  const merchant = {
    merchantId: "shop-brl",
    merchantSecret: world.secrets.get("shop-brl") ?? "",
    playerId: "ana",
    provider: "ACME",
    game: "fruits",
  };
  const round = { txId: "ACME:w1é'/?", roundId: "r1", from: "2026-01-01", to: "2026-01-31" };
  const api = { baseUrl: `http://127.0.0.1:${world.first.ports.rest}`, ...merchant, ...round };
  const calls = await run(api, ["Merchant", "Games", "Transactions", "Reports"]);
  t.is(calls.length, 10);
  for (const { name, status, text } of calls)
    t.is(status, name === "Send a win or refund again" ? 202 : 200, `${name}: ${text}`);

  const callbacks = await run({ walletUrl: `${world.wallet.url}?b=1`, ...merchant, txId: "ACME:p1", roundId: "r2" }, [
    "Your wallet",
  ]);
  t.is(callbacks.length, 5);
  for (const { name, status, text } of callbacks) t.true(status === 200 && JSON.parse(text).ok, `${name}: ${text}`);
});
