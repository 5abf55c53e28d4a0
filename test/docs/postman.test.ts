import test, { type ExecutionContext } from "ava";
// @ts-expect-error: this package has no types.
import newman from "newman";
import { startWorld } from "../../testbed/stage/world.ts";
import { page } from "./markdown.ts";

interface Executed {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number; text(): string };
  readonly assertions?: readonly { readonly assertion: string; readonly error?: Error }[];
}

/** A request that was sent, and the tests of the collection that ran on its reply. */
interface Ran {
  readonly name: string;
  readonly reply: string;
  readonly passed: readonly string[];
}

/** Runs folders of the stored collection. Throws when a test of the collection fails. */
function run(values: Readonly<Record<string, string>>, folder: readonly string[]): Promise<Ran[]> {
  const collection = JSON.parse(page("docs/postman/operator-api.postman_collection.json"));
  const environment = JSON.parse(page("docs/postman/operator-api.postman_environment.json"));
  const envVar = Object.entries(values).map(([key, value]) => ({ key, value }));
  return new Promise((resolve, reject) => {
    newman.run(
      { collection, environment, envVar, folder, reporters: [] },
      (
        error: Error | null,
        summary: { run: { executions: Executed[]; failures: { error: Error; source?: { name: string } }[] } },
      ) => {
        if (error !== null) return reject(error);
        const { executions, failures } = summary.run;
        if (failures.length > 0)
          return reject(
            new Error(
              [
                ...failures.map(({ error: fault, source }) => `${source?.name}: ${fault.message}`),
                ...executions.map(({ item, response }) => `${item.name}: ${response?.code} ${response?.text()}`),
              ].join("\n"),
            ),
          );
        resolve(
          executions
            .filter(({ response }) => response !== undefined)
            .map(({ item, response, assertions = [] }) => ({
              name: item.name,
              reply: response?.text() ?? "",
              passed: assertions.map(({ assertion }) => assertion),
            })),
        );
      },
    );
  });
}

const API = ["Merchant", "Games", "Transactions", "Reports"];

/** A service with three bets and a win that can be sent again, and the collection's variables for it. */
async function start(t: ExecutionContext) {
  const world = await startWorld(t);
  const sessionId = await world.session();
  for (const txId of ["b1", "b2", "b3é'/?"]) t.is(await world.request("bet", { sessionId, txId }), "success");
  world.wallet.setFault({ kind: "rejected" });
  t.is(await world.request("win", { sessionId, txId: "w1é'/?" }), "failed:REJECTED");
  world.wallet.setFault({ kind: "none" });
  const variables = {
    baseUrl: `http://127.0.0.1:${world.first.ports.rest}`,
    walletUrl: `${world.wallet.url}?b=1`,
    merchantId: "shop-brl",
    merchantSecret: world.secrets.get("shop-brl") ?? "",
    playerId: "ana",
    provider: "ACME",
    game: "fruits",
  };
  return { world, variables };
}

test("every call of the collection is signed and answered, and the collection's tests pass", async (t) => {
  const { variables } = await start(t);
  const calls = await run(variables, API);
  t.deepEqual(
    calls.map(({ name }) => name),
    [
      "Your merchant as we see it",
      "Open a game",
      "The catalog",
      "One game",
      "The providers of the games",
      "Every transaction sent to your wallet",
      "Every transaction sent to your wallet: the next page",
      "One transaction, with every call of your wallet",
      "Send a win or refund again",
      "Rounds that are open, or have ended",
      "A round with its transactions and sums",
      "A round with its transactions and sums: the next page",
      "Gross gaming revenue",
    ],
    "only next pages that do not exist are left out",
  );
  for (const { name, passed } of calls)
    t.true(
      passed.some((one) => one.startsWith("status 2")),
      name,
    );
  t.is(calls.filter(({ passed }) => passed.includes("the reply has the envelope")).length, calls.length);
  t.is(calls.filter(({ passed }) => passed.includes("the next page has none of the page before")).length, 2);
});

test("the collection calls a wallet with new ids in each run, repeats a bet, and reverses every bet and win", async (t) => {
  const { world, variables } = await start(t);
  const [before, seen] = [world.balance(), world.callbacks.length];
  for (let times = 1; times <= 2; times++) {
    const callbacks = await run(variables, ["Your wallet"]);
    t.is(callbacks.length, 6);
    t.true(callbacks.some(({ passed }) => passed.includes("a repeat gets the same reply")));
  }
  const bodies = world.callbacks.slice(seen).map(({ body }) => JSON.parse(body) as Record<string, string>);
  const ids = bodies.flatMap(({ tx_id }) => tx_id ?? []);
  t.true(ids.length === 10 && ids.every((id) => /^TEST:[0-9a-f-]{36}$/.test(id)), ids.join(" "));
  t.is(new Set(ids).size, 8, "each run has its own transactions, and one of each is a repeat");
  t.is(world.balance(), before, "every bet and win was reversed");
});

test("the collection's tests fail after a refusal", async (t) => {
  const { variables } = await start(t);
  await t.throwsAsync(run({ ...variables, merchantSecret: "sk_another" }, ["Merchant"]), {
    message: /status code 200 but got 401/,
  });
  await t.throwsAsync(run({ ...variables, playerId: "nobody" }, ["Your wallet"]), {
    message: /What is the balance\?: expected false to equal true/,
  });
});
