import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { credentials, type Server } from "@grpc/grpc-js";
import test from "ava";
import { checkout, page } from "./markdown.ts";
import { KEY, MERCHANT, SECRET, startAggregator, startWallet } from "./running-service.ts";

const run = promisify(execFile);

interface Reply {
  readonly status: string;
  readonly error: string;
  readonly tx_id: string;
  readonly balance_minor?: string;
}

/** The code of aggregator.mjs and games.mjs in docs/provider.md, as a reader copies it. */
interface AggregatorClient {
  call(rpc: string, request: object): Promise<Reply>;
  send(rpc: string, request: object, how?: { final?: boolean; tries?: number }): Promise<Reply>;
  close(): void;
}
interface ProviderCode {
  readonly Aggregator: new (address: string, key: string, security: unknown) => AggregatorClient;
  takeBet(client: AggregatorClient, bet: object, refund: object): Promise<{ start: boolean; error?: string }>;
}
interface GamesCode {
  createGames(sessions: Map<string, { session_id: string; player_ref: string }>, site: string): Server;
  listen(server: Server, address: string): Promise<number>;
}

const undo: (() => unknown)[] = [];
const lifetime = { teardown: (one: () => unknown) => void undo.push(one) };
let play: Awaited<ReturnType<typeof startPlay>>;

/** Merchant, provider and service. Merchant and provider consist only of the code of their documentation pages. */
async function startPlay() {
  const wallet = await startWallet(lifetime);
  const folder = checkout(lifetime, "docs/provider.md");
  const [{ Aggregator, takeBet }, games] = await Promise.all([
    import(join(folder, "aggregator.mjs")) as Promise<ProviderCode>,
    import(join(folder, "games.mjs")) as Promise<GamesCode>,
  ]);
  const sessions = new Map<string, { session_id: string; player_ref: string }>();
  const source = games.createGames(sessions, "https://games.acme.example");
  const service = await startAggregator(lifetime, {
    walletUrl: wallet.url,
    source: `http://127.0.0.1:${await games.listen(source, "127.0.0.1:0")}`,
  });
  const client = new Aggregator(service.grpc, KEY, credentials.createInsecure());
  lifetime.teardown(() => {
    client.close();
    source.forceShutdown();
  });
  const merchantEnv = { ...process.env, BASE: service.base, MERCHANT, SECRET };
  const launch = async () => {
    const { stdout } = await run("sh", [join(wallet.folder, "launch.sh")], { env: merchantEnv });
    return JSON.parse(stdout) as { success: boolean; data: { launch_url: string } };
  };
  await launch();
  const [session] = [...sessions.values()];
  if (session === undefined) throw new Error("OpenGame was not called");
  // A process that has just started refuses calls for a moment. The client repeats such calls.
  await client.send("GetBalance", { session_id: session.session_id }, { final: true });
  return { wallet, folder, service, client, takeBet, launch, session, sessions, merchantEnv };
}

/**
 * Runs a script of the page. On a busy machine the service may refuse its call (OVERLOADED). Then the script is
 * repeated, as the page advises.
 */
async function sh(script: string, env: Record<string, string | undefined>): Promise<string> {
  for (let tries = 1; ; tries++) {
    const ran = await run("sh", [join(play.folder, script)], { env: { ...process.env, ...env } }).catch(
      (failure: { stdout: string; stderr: string }) => failure,
    );
    if (tries === 10 || !/OVERLOADED/.test(ran.stdout + ran.stderr)) return ran.stdout;
    await new Promise((resolve) => setTimeout(resolve, 250 * tries));
  }
}

test.before(async () => {
  play = await startPlay();
});
test.beforeEach(() => play.wallet.setBalance(10_000));
test.after.always(async () => {
  for (const one of undo.reverse()) await one();
});

test.serial("launch.sh opens a game with curl and openssl", async (t) => {
  const { success, data } = await play.launch();
  t.true(success);
  t.regex(data.launch_url, /^https:\/\/games\.acme\.example\/book-of-x\?token=/);
  t.like([...play.sessions.values()][0], {
    game_code: "book-of-x",
    currency: "BRL",
    language: "pt",
    country: "BR",
    demo: false,
    lobby_url: "",
  });
});

test.serial("launch.mjs opens a game with fetch, and throws an error with the code of a refusal", async (t) => {
  const script = `
    import { launch } from "./launch.mjs";
    console.log(await launch({ player_id: "joão-1", game: "book-of-x" }));
    console.log(await launch({ player_id: "joão-1", game: "none" }).catch((error) => error.code));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
    cwd: play.wallet.folder,
    env: play.merchantEnv,
  });
  t.regex(stdout, /^https:\/\/games\.acme\.example\/book-of-x\?token=\S+\nGAME_NOT_FOUND\n$/);
});

test.serial("the scripts of docs/first-bet.md print the merchant, and open a game", async (t) => {
  const folder = checkout(t, "docs/first-bet.md");
  const outputOf = async (name: string): Promise<string> => {
    const script = readFileSync(join(folder, name), "utf8");
    const options = { cwd: play.wallet.folder, env: play.merchantEnv };
    return (await run(process.execPath, ["--input-type=module", "-e", script], options)).stdout;
  };
  t.is(await outputOf("who.mjs"), "acme-br, BRL, wallet configured: true\n");
  t.regex(await outputOf("open.mjs"), /^https:\/\/games\.acme\.example\/book-of-x\?token=\S+\n$/);
});

test.serial(
  "a provider's client places a bet, repeats it without a second debit, pays a win and reverses both",
  async (t) => {
    const { wallet, client, takeBet } = play;
    const { session_id, player_ref } = play.session;
    const bet = { session_id, tx_id: "a-1", round_id: "r-1", amount_minor: 250, currency: "BRL" };
    const refund = { ...bet, tx_id: "refund-a-1", ref_tx_id: "a-1" };
    t.deepEqual(await takeBet(client, bet, refund), { start: true });
    t.like(await client.send("PlaceBet", bet), {
      status: "TRANSACTION_STATUS_SUCCESS",
      balance_minor: "9750",
      tx_id: "ACME:a-1",
    });
    t.is(wallet.balance(), 9_750);
    const win = { player_ref, game: "book-of-x", tx_id: "w-1", round_id: "r-1", amount_minor: 1_000, currency: "BRL" };
    t.like(await client.send("PayWin", win), { status: "TRANSACTION_STATUS_SUCCESS", balance_minor: "10750" });
    t.like(await client.send("RefundBet", refund), { status: "TRANSACTION_STATUS_SUCCESS", balance_minor: "11000" });
    t.like(await client.send("RollbackWin", { ...win, tx_id: "k-1", ref_tx_id: "w-1" }), {
      status: "TRANSACTION_STATUS_SUCCESS",
      balance_minor: "10000",
    });
    t.like(await client.send("GetBalance", { session_id }), {
      status: "TRANSACTION_STATUS_SUCCESS",
      balance_minor: "10000",
    });
    await t.throwsAsync(client.send("PlaceBet", bet), { message: /TRANSACTION_REVERSED/ });
    t.deepEqual(await takeBet(client, { ...bet, tx_id: "a-2", amount_minor: 10_001 }, {}), {
      start: false,
      error: "INSUFFICIENT_FUNDS",
    });
  },
);

test.serial("the provider's client gets a refusal with its code and whether to repeat", async (t) => {
  const { client, session } = play;
  const bet = { session_id: session.session_id, tx_id: "b-1", round_id: "r-1", amount_minor: 250, currency: "BRL" };
  await client.send("PlaceBet", bet);
  const error = await client.send("PlaceBet", { ...bet, amount_minor: 251 }).then(
    () => undefined,
    (cause: unknown) => cause as object,
  );
  t.like(error, { reason: "TRANSACTION_MISMATCH", again: false });
});

test.serial("bet.sh places a bet with buf curl, and a repeat debits nothing", async (t) => {
  const { wallet, service, session } = play;
  const place = async (): Promise<unknown> =>
    JSON.parse(await sh("bet.sh", { KEY, SESSION: session.session_id, ADDRESS: `http://${service.grpc}` }));
  const documented: object = JSON.parse(/```json\n(\{\n {2}"status".*?)```/s.exec(page("docs/provider.md"))?.[1] ?? "");
  t.deepEqual(await place(), documented);
  t.deepEqual(await place(), { ...documented, replayed: true });
  t.is(wallet.balance(), 9_750);
});

test.serial("connect.sh places a bet as Connect JSON with curl, and gets its answer", async (t) => {
  const { service, session } = play;
  const stdout = await sh("connect.sh", { KEY, SESSION: session.session_id, INTERNAL: service.internal });
  t.deepEqual(JSON.parse(stdout), {
    status: "TRANSACTION_STATUS_SUCCESS",
    balanceMinor: "9750",
    balanceBeforeMinor: "10000",
    txId: "ACME:t-1",
    replayed: true,
  });
});

test.serial("methods.sh lists the methods and health.sh reports SERVING, both without a key", async (t) => {
  const ADDRESS = `http://${play.service.grpc}`;
  const methods = await sh("methods.sh", { ADDRESS });
  for (const rpc of ["GetBalance", "PlaceBet", "PayWin", "RefundBet", "RollbackWin"])
    t.true(methods.includes(`aggregator.provider.v1.WalletService/${rpc}\n`), rpc);
  t.true(methods.includes("aggregator.provider.v1.GameService/OpenGame\n"), "what a provider implements");
  t.deepEqual(JSON.parse(await sh("health.sh", { ADDRESS })), { status: "SERVING" });
});

test.serial("follow.mjs reads a transaction, and follows its change after a resend", async (t) => {
  const { wallet, client, session } = play;
  const of = { player_ref: session.player_ref, game: "book-of-x", round_id: "r/docs", currency: "BRL" };
  const works = wallet.server.listeners("request") as (() => void)[];
  wallet.server.removeAllListeners("request").on("request", (_, response) => {
    response.writeHead(404).end("<h1>Cannot POST /walet</h1>");
  });
  t.like(await client.send("PayWin", { ...of, tx_id: "w-docs", amount_minor: 1_000 }), {
    status: "TRANSACTION_STATUS_PENDING",
  });
  const node = async (lines: string): Promise<unknown> => {
    const script = `
      import { changes, get } from "./follow.mjs";
      import { signedHeaders } from "./signing.mjs";
      const { BASE, MERCHANT, SECRET } = process.env;
      const resend = "/v1/transactions/ACME%3Aw-docs/resend";
      const post = () => fetch(BASE + resend, { method: "POST", headers: signedHeaders(MERCHANT, SECRET, "POST", resend) });
      ${lines}`;
    const options = { cwd: wallet.folder, env: play.merchantEnv };
    return JSON.parse((await run(process.execPath, ["--input-type=module", "-e", script], options)).stdout);
  };
  t.like(await node(`console.log(JSON.stringify(await get("/v1/transactions/ACME:w-docs")))`), {
    status: "pending",
    last_result: "not_json",
  });

  wallet.server.removeAllListeners("request");
  for (const listener of works) wallet.server.on("request", listener);
  const followed = (await node(`
    await post();
    const states = [];
    for await (const { items, cursor, behindMs } of changes("2026-01-01T00:00:00Z")) {
      states.push(...items.filter(({ tx_id }) => tx_id === "ACME:w-docs").map(({ status, resolved_by }) => status + " " + resolved_by));
      if (!states.includes("success resend")) continue;
      console.log(JSON.stringify({ states, last: typeof cursor, behind: typeof behindMs }));
      break;
    }`)) as { states: string[] };
  const { states, ...more } = followed;
  t.true(states.at(-1) === "success resend" && states.length <= 2, states.join());
  t.deepEqual(more as object, { last: "string", behind: "number" });
  t.is(wallet.balance(), 11_000, "applied once");
});

test.serial(
  "the provider's client refunds a bet that the wallet never answers, and the round doesn't start",
  async (t) => {
    const { wallet, client, takeBet, session } = play;
    wallet.server.removeAllListeners("request").on("request", (_, response) => {
      response.writeHead(404).end("<h1>Cannot POST /walet</h1>");
    });
    const bet = { session_id: session.session_id, tx_id: "c-1", round_id: "r-1", amount_minor: 250, currency: "BRL" };
    t.deepEqual(await takeBet(client, bet, { ...bet, tx_id: "refund-c-1", ref_tx_id: "c-1" }), {
      start: false,
      error: "OUTCOME_UNKNOWN",
    });
    t.like(await client.send("PlaceBet", bet), { status: "TRANSACTION_STATUS_PENDING" });
  },
);
