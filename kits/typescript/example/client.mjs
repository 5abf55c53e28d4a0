// A client program. The kits' README lists its environment variables.
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorClient, AggregatorError, toDecimal, toMinor } from "game-aggregator-kit";

const { BASE_URL, MERCHANT, SECRET, CURSOR_FILE, LIMIT = "100", TIMEOUT_MS = "15000" } = process.env;
const { PLAYER, PROVIDER, GAME, TX_ID, ROUND_ID, DAY, PAUSE_MS = "0" } = process.env;
const settings = { baseUrl: BASE_URL, merchant: MERCHANT, secret: SECRET, timeoutMs: Number(TIMEOUT_MS) };
const client = new AggregatorClient(settings);
const limit = Number(LIMIT);
// Writes the line at once. Otherwise the cursor of a page could be stored before the page's lines are printed.
const print = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

async function transactions() {
  for await (const { tx_id, action, status, amount, currency } of client.transactions({ limit }))
    print({ tx_id, action, status, amount: toDecimal(toMinor(amount, currency), currency) });
}

async function feed() {
  const stored = existsSync(CURSOR_FILE) ? readFileSync(CURSOR_FILE, "utf8") : undefined;
  const place = stored === undefined ? { since: "2026-01-01T00:00:00Z" } : { cursor: stored };
  for await (const { items, cursor } of client.changes({ ...place, limit })) {
    for (const { tx_id, status } of items) print({ cursor, tx_id, status });
    writeFileSync(`${CURSOR_FILE}.new`, cursor);
    renameSync(`${CURSOR_FILE}.new`, CURSOR_FILE);
    if (items.length === 0) return;
  }
}

async function error() {
  try {
    await client.transaction("NONE:unknown");
  } catch (cause) {
    if (!(cause instanceof AggregatorError)) throw cause;
    print({ type: cause.name, code: cause.code, request_id: cause.requestId });
  }
}

async function codes(items) {
  const found = [];
  for await (const { code } of items) found.push(code);
  return found.join(",");
}

async function operations() {
  const { currency } = await client.merchant();
  const money = (decimal) => toDecimal(toMinor(decimal, currency), currency);
  const tell = (operation, value) => print({ operation, value });
  tell("merchant", currency);
  tell("launch", (await client.launch({ player_id: PLAYER, game: GAME })).provider);
  tell("games", await codes(client.games({ limit: 1 })));
  tell("game", (await client.game(PROVIDER, GAME)).name);
  tell("providers", await codes(client.providers({ limit: 1 })));
  tell("transaction", (await client.transaction(TX_ID)).tx_id);
  tell("round", money((await client.round(PROVIDER, ROUND_ID)).sums.bets));
  await client.resend(TX_ID).catch((cause) => tell("resend", cause.code));
  tell("report", money((await client.ggrReport({ from: DAY, to: DAY })).totals.ggr));
}

async function rounds() {
  for await (const { provider, round_id } of client.rounds({ state: "ended", limit: 1 }))
    print({ round_id, state: (await client.round(provider, round_id)).state });
  const { currency, totals } = await client.ggrReport({ from: DAY, to: DAY });
  for (const { action, kind, amount } of totals.of_which ?? [])
    print({ kind: `${action} ${kind}`, amount: toDecimal(toMinor(amount, currency), currency) });
}

async function launches() {
  for (const player of PLAYER.split(",")) {
    try {
      print({ player, launch_url: (await client.launch({ player_id: player, game: GAME })).launch_url });
    } catch (cause) {
      print({ player, error: `${cause.name}: ${cause.message}` });
    }
    await sleep(Number(PAUSE_MS));
  }
}

const programs = { transactions, feed, error, operations, rounds, launches };
const program = programs[process.argv[2]];
if (program === undefined) {
  console.error(`usage: client.mjs ${Object.keys(programs).join(" | ")}`);
  process.exitCode = 2;
} else await program();
