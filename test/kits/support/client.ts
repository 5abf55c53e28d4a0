/** The data that a kit's client program must read from a real service. */
import { join } from "node:path";
import type { ExecutionContext } from "ava";
import { type Command, run, start } from "../../../testbed/programs/toolchain.ts";
import { MERCHANT, startService } from "../../../testbed/stage/played-service.ts";
import { type ProxyAction, startProxy } from "./unsteady-proxy.ts";

/** Rows of a page. The history has many more. */
const LIMIT = 7;
const FAULTS: readonly ProxyAction[] = ["cut", 503, 429];

type Line = Readonly<Record<string, unknown>>;

const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
const pick = (lines: readonly Line[], ...names: string[]): Line[] =>
  lines.map((line) => Object.fromEntries(names.map((name) => [name, line[name]])));

/** Runs the client program with each of its arguments, and compares its output with the service. */
export async function assertClient(t: ExecutionContext, client: Command, folder: string): Promise<void> {
  const service = await startService(t);
  await service.play(30);
  const command = (
    argument: string,
    origin = service.origin,
    more: Readonly<Record<string, string>> = {},
  ): Command => ({
    ...client,
    args: [...(client.args ?? []), argument],
    env: {
      ...client.env,
      BASE_URL: origin,
      MERCHANT,
      SECRET: service.secret,
      CURSOR_FILE: join(folder, "cursor"),
      LIMIT: String(LIMIT),
      ...more,
    },
  });

  await assertListing(t, service, command);
  await assertFeed(t, service, command);
  await assertError(t, command);
  await assertOperations(t, service, command);
  await assertRounds(t, service, command);
}

type Service = Awaited<ReturnType<typeof startService>>;
type MakeCommand = (argument: string, origin?: string, more?: Readonly<Record<string, string>>) => Command;

/** Every row comes once, although every third call gets no answer or a temporary refusal. */
async function assertListing(t: ExecutionContext, service: Service, command: MakeCommand): Promise<void> {
  const expected = await service.listing();
  t.true(expected.length > 5 * LIMIT, "the listing has several pages");
  const { origin, calls } = await startProxy(t, service.origin, (call) =>
    call % 3 === 1 ? (FAULTS[((call - 1) / 3) % FAULTS.length] as ProxyAction) : "pass",
  );
  const rows = pick(linesOf(await run(command("transactions", origin))), "tx_id", "action", "status", "amount");
  t.deepEqual(rows, expected);
  const pages = Math.ceil(expected.length / LIMIT);
  t.is(calls.filter(({ action }) => action === "pass").length, pages, "each page is read once");
  t.true(calls.length > pages + 2, "calls were repeated");
  t.is(new Set(calls.map(({ nonce }) => nonce)).size, calls.length, "a repeated call is signed anew");
  for (const [i, { action, at, target }] of calls.entries()) {
    const next = calls[i + 1];
    if (action === "pass" || next === undefined) continue;
    t.is(next.target, target, "the same call is repeated");
    if (action !== "cut") t.true(next.at - at > 950, `Retry-After of a ${action} is honoured`);
  }
}

/** A client that is killed between two pages continues where it stopped. */
async function assertFeed(t: ExecutionContext, service: Service, command: MakeCommand): Promise<void> {
  const expected = await service.changes();
  const { origin, held } = await startProxy(t, service.origin, (call) => (call === 3 ? "hold" : "pass"));
  const first = start(command("feed", origin));
  await Promise.race([held, first.ended]);
  first.end("SIGKILL");
  const killed = linesOf((await first.ended).stdout);
  t.is(killed.length, 3 * LIMIT, "it printed each page before it asked for the next");
  const state = (lines: readonly Line[]) => pick(lines, "tx_id", "status");
  const resumed = linesOf(await run(command("feed")));
  t.deepEqual(state([...killed, ...resumed]), state(expected));
  t.deepEqual(linesOf(await run(command("feed"))), [], "nothing has changed since");
  await service.play(4);
  const later = (await service.changes()).slice(expected.length);
  t.true(later.length >= 4);
  t.deepEqual(state(linesOf(await run(command("feed")))), state(later));
}

async function assertError(t: ExecutionContext, command: MakeCommand): Promise<void> {
  const [error, ...others] = linesOf(await run(command("error")));
  t.deepEqual(others, []);
  t.is(error?.code, "TRANSACTION_NOT_FOUND");
  t.regex(String(error?.type), /NotFound/, "the error's type follows from its code");
  t.regex(String(error?.request_id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
}

interface Data {
  readonly sums: { readonly bets: number };
  readonly totals: { readonly ggr: number };
}

/** One line for each operation beside the listing and the feed. */
async function assertOperations(t: ExecutionContext, service: Service, command: MakeCommand): Promise<void> {
  const [txId, roundId, day] = ["ACME:b2/ã+", "round/2 ã+", new Date().toISOString().slice(0, 10)];
  const env = { PLAYER: "ana", PROVIDER: "ACME", GAME: "fruits", TX_ID: txId, ROUND_ID: roundId, DAY: day };
  const lines = linesOf(await run(command("operations", service.origin, env)));
  const round = await service.data<Data>(`/v1/rounds/ACME/${encodeURIComponent(roundId)}`);
  const report = await service.data<Data>(`/v1/reports/ggr?from=${day}&to=${day}`);
  t.deepEqual(lines, [
    { operation: "merchant", value: "BRL" },
    { operation: "launch", value: "ACME" },
    { operation: "games", value: "fruits" },
    { operation: "game", value: "Fruits" },
    { operation: "providers", value: "ACME,SPORTSBOOK" },
    { operation: "transaction", value: txId },
    { operation: "round", value: round.sums.bets.toFixed(2) },
    { operation: "resend", value: "NOT_RESENDABLE" },
    { operation: "report", value: report.totals.ggr.toFixed(2) },
  ]);
}

/** The ended rounds, page by page, each with the state of its own page; then the money that has a kind. */
async function assertRounds(t: ExecutionContext, service: Service, command: MakeCommand): Promise<void> {
  await service.endRounds();
  const day = new Date().toISOString().slice(0, 10);
  t.deepEqual(linesOf(await run(command("rounds", service.origin, { DAY: day }))), [
    { round_id: "ended 1", state: "ended" },
    { round_id: "ended 2", state: "ended" },
    { kind: "bet tip", amount: "2.00" },
    { kind: "win jackpot", amount: "3.50" },
  ]);
}
