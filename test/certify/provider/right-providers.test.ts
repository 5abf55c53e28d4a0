import { join } from "node:path";
import { credentials, type Server } from "@grpc/grpc-js";
import test, { type ExecutionContext } from "ava";
import { certify, nameOf } from "../../../certify/provider/certify.ts";
import { Driver, type Shown, type Spin } from "../../../certify/provider/drive/driver.ts";
import { Hook } from "../../../certify/provider/drive/hook.ts";
import { startProvider } from "../../../sandbox/provider/provider.ts";
import { freePort } from "../../../testbed/programs/ports.ts";
import { checkout } from "../../docs/markdown.ts";
import type { Use } from "./bugs.ts";
import { faultsOf, PATIENT, passOf, planOf } from "./passes.ts";
import type { Habits } from "./provider-under-test.ts";

/** The maximum of passes that run at once. A source has 5 s to open a game, and more passes make it exceed this time. */
const AT_ONCE = 4;
let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(t: ExecutionContext): Promise<void> {
  if (running < AT_ONCE) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  t.teardown(() => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  });
  t.timeout(300_000);
}

test("a provider that follows the documents passes every case", async (t) => {
  await takeTurn(t);
  const pass = await passOf({}, { waits: PATIENT });
  t.deepEqual(faultsOf(pass), []);
  t.true(pass.outcomes.length > 40);
  const untried = pass.outcomes.filter(({ status }) => status === "not_tried");
  t.deepEqual(
    [...new Set(untried.map(({ category }) => category.id))],
    ["settlements", "reversals", "plays", "ends", "labels"],
    "this provider uses none of these calls",
  );
});

/** Habits, each with the cases that cannot be tried with such a provider. */
const HABITS: readonly (readonly [what: string, habits: Habits, untried?: readonly string[]])[] = [
  ["takes 2 s before each call", { slowMs: 2_000, tries: 1 }],
  ["has ids of digits, and repeats a bet once", { ids: "numbers", tries: 1 }],
  ["has a launch_url with bytes that are no UTF-8", { launchUrlEnd: "&t=%FF%zz%" }],
  ["has ids of any characters, and refunds by player_ref", { ids: "odd", byPlayer: true }],
  ["has ids of 95 bytes, and asks for the balance", { ids: "long", asksBalance: true }],
  ["never repeats a bet, and refunds it 2 s later", { tries: 0, refundLaterMs: 2_000 }],
  ["repeats a bet five times", { tries: 5 }],
  [
    "drops bets that met OVERLOADED, and asks what became of PENDING and FAILED wins",
    { dropsOverloaded: true, asksForWins: 4 },
  ],
  ["wins every third round, and ends the others by a win of 0", { winEvery: 3, zeroWins: true }],
  ["settles its bets", { uses: ["settles"] }],
  ["reverses bets", { uses: ["reverse"], tries: 1 }],
  ["plays at once, and ends its rounds", { uses: ["play", "ends", "reverse"], winEvery: 2 }],
  ["ends its rounds by EndRound, and says what its money is for", { uses: ["end call", "kinds"] }],
  ["says nothing of what it shows", { silentHook: true }, ["whole/shown-played", "whole/shown-amounts"]],
];

/** The category that tests what a provider uses. */
const TESTED: Readonly<Record<Use, string>> = {
  settles: "settlements",
  reverse: "reversals",
  play: "plays",
  ends: "ends",
  "end call": "ends",
  kinds: "labels",
};

for (const [what, habits, untried = []] of HABITS) {
  test(`a correct provider that ${what} passes`, async (t) => {
    await takeTurn(t);
    // The cases that run alone use the same code of the provider, and take long.
    const tested = (habits.uses ?? []).map((use) => TESTED[use]);
    const only = ["launch", "bets", "refusals", "refunds", "wins", "whole", ...tested];
    // One after the other, because the spins of all cases share one order of wins.
    const pass = await passOf({ habits }, { only, waits: PATIENT, spinsMax: 8 });
    t.deepEqual(
      faultsOf(pass).filter((fault) => !untried.some((name) => fault.startsWith(`${name}: Nobody said`))),
      [],
    );
    t.deepEqual(
      pass.outcomes.filter(({ status }) => status === "not_tried").map(nameOf),
      untried,
      "nothing else is left out",
    );
  });
}

test("the sandbox's provider passes every case", async (t) => {
  await takeTurn(t);
  const port = await freePort();
  const provider = await startProvider({
    serviceGrpc: `127.0.0.1:${port}`,
    keys: { AURORA: "key" },
    host: "127.0.0.1",
    httpPort: 0,
    grpcPort: 0,
    hasSpinHook: true,
    undecidedMs: 1_000,
  });
  t.teardown(() => provider.close());
  const hook = new URL(`http://127.0.0.1:${provider.httpPort}/certify/spin`);
  const source = new URL(`http://127.0.0.1:${provider.grpcPort}`);
  const plan = { ...planOf(source, port), provider: "AURORA", game: "solar-crown", currency: "CLP", waits: PATIENT };
  // The calls have a deadline of 10 s, so an answer may come this late.
  const pass = await certify(plan, new Hook(hook, 40, 15_000));
  t.deepEqual(faultsOf(pass), []);
});

/** The code of docs/provider.md. */
interface Client {
  send(rpc: string, request: object): Promise<{ status: string }>;
  close(): void;
}
interface ProviderCode {
  readonly Aggregator: new (address: string, key: string, security: unknown) => Client;
  takeBet(client: Client, bet: object, refund: object): Promise<{ start: boolean }>;
}
interface GamesCode {
  createGames(sessions: Map<string, { session_id: string; currency: string; demo: boolean }>, site: string): Server;
  listen(server: Server, address: string): Promise<number>;
}

test("the client and the source of docs/provider.md pass every case except the demo, which they leave out", async (t) => {
  await takeTurn(t);
  const folder = checkout(t, "docs/provider.md");
  const { Aggregator, takeBet } = (await import(join(folder, "aggregator.mjs"))) as ProviderCode;
  const games = (await import(join(folder, "games.mjs"))) as GamesCode;
  const port = await freePort();
  const sessions = new Map<string, { session_id: string; currency: string; demo: boolean }>();
  const server = games.createGames(sessions, "https://games.acme.example");
  const source = new URL(`http://127.0.0.1:${await games.listen(server, "127.0.0.1:0")}`);
  const client = new Aggregator(`127.0.0.1:${port}`, "key", credentials.createInsecure());
  t.teardown(() => {
    client.close();
    server.forceShutdown();
  });
  /** Plays in this process as docs/provider.md describes: takeBet, then PayWin until it is delivered. */
  class Play extends Driver {
    override readonly atOnce = 40;
    override readonly spinsUntilWin = false;
    override readonly clickMs = 0;

    override async spin({ launchUrl }: Spin): Promise<Shown> {
      const opened = sessions.get(new URL(launchUrl).searchParams.get("token") ?? "");
      if (opened === undefined) throw new Error("no such session");
      if (opened.demo) return { shown: "played" };
      const { session_id, currency } = opened;
      const id = crypto.randomUUID();
      const bet = { session_id, tx_id: id, round_id: `round-${id}`, amount_minor: 250, currency };
      const { start } = await takeBet(client, bet, { ...bet, tx_id: `refund-${id}`, ref_tx_id: id });
      if (!start) return { shown: "refused" };
      void client.send("PayWin", { ...bet, tx_id: `win-${id}`, amount_minor: 700 }).catch(() => {});
      return { shown: "played" };
    }
  }
  const pass = await certify({ ...planOf(source, port), waits: PATIENT }, new Play());
  t.deepEqual(withoutAmounts(t, faultsOf(pass)), []);
});

/** This driver reports no amounts. */
function withoutAmounts(t: ExecutionContext, faults: readonly string[]): string[] {
  const others = faults.filter((fault) => !fault.startsWith("whole/shown-amounts: Nobody said"));
  t.is(others.length, faults.length - 1);
  return others;
}
