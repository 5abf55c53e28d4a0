/**
 * The wallet of a long run. It applies each tx_id once, and writes every effect into a file of its folder. After an
 * order it makes faults from time to time, like real wallets. IPC: {@link LedgerWalletOrder}.
 */
import { createWriteStream } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { LEDGER_FILE } from "./effects.ts";

export type LedgerWalletOrder =
  | { readonly kind: "faults"; readonly on: boolean }
  /** The wallet answers `{kind: "written"}` when every effect is in the file. */
  | { readonly kind: "write" };

/** Shares of the calls that get this fault. */
const REJECTED_BETS = 0.01;
const SLOW = 0.01;
const SLOW_MS_MAX = 2_000;
const REFUSED_UNAPPLIED = 0.002;
const LOST_AFTER_APPLIED = { error: 0.003, reset: 0.001, silence: 0.000_2 };

const file = createWriteStream(join(process.argv[2] ?? ".", LEDGER_FILE));

const applied = new Set<string>();
/** The ids that are rejected for ever, with their code: rejected bets, and originals whose reversal came first. */
const refused = new Map<string, string>();
let faults = false;
let lines: string[] = [];

interface Callback {
  readonly action: "balance" | "bet" | "win" | "refund" | "rollback";
  readonly tx_id: string;
  readonly ref_tx_id?: string;
  readonly amount: number;
}

/** The code of a rejection; undefined: the callback is applied, now or earlier. */
function objection(merchant: string, { action, tx_id, ref_tx_id, amount }: Callback): string | undefined {
  const key = `${merchant}/${tx_id}`;
  if (action === "balance" || applied.has(key)) return undefined;
  if (action === "bet") {
    const before = refused.get(key) ?? (faults && Math.random() < REJECTED_BETS ? "INSUFFICIENT_FUNDS" : undefined);
    if (before !== undefined) {
      refused.set(key, before);
      return before;
    }
  }
  if (ref_tx_id !== undefined && !applied.has(`${merchant}/${ref_tx_id}`)) {
    refused.set(`${merchant}/${ref_tx_id}`, "TRANSACTION_NOT_FOUND");
    return "TRANSACTION_NOT_FOUND";
  }
  applied.add(key);
  const minor = Math.round(amount * 100);
  lines.push(`${merchant}\t${tx_id}\t${action === "bet" || action === "rollback" ? -minor : minor}\n`);
  if (lines.length >= 1_000) flush();
  return undefined;
}

function flush(): void {
  file.write(lines.join(""));
  lines = [];
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

/** Sends a reply after the callback was judged, or loses it. */
function reply(response: ServerResponse, rejection: string | undefined): void {
  const body = rejection === undefined ? { ok: true, balance: 1000.5 } : { ok: false, error: rejection };
  if (!faults) return answer(response, 200, body);
  const drawn = Math.random();
  const { error, reset, silence } = LOST_AFTER_APPLIED;
  if (drawn < error) answer(response, 500, {});
  else if (drawn < error + reset) response.destroy();
  else if (drawn < error + reset + silence) return;
  else if (drawn < error + reset + silence + SLOW)
    setTimeout(() => answer(response, 200, body), Math.random() * SLOW_MS_MAX);
  else answer(response, 200, body);
}

const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  request.once("end", () => {
    if (faults && Math.random() < REFUSED_UNAPPLIED) return answer(response, 503, {});
    reply(response, objection(String(request.headers["x-merchant-id"]), JSON.parse(text) as Callback));
  });
});

process.on("message", (order: LedgerWalletOrder) => {
  if (order.kind === "faults") faults = order.on;
  else {
    flush();
    file.write("", () => process.send?.({ kind: "written" }));
  }
});
process.once("SIGTERM", () => process.exit(0));
// The process that sent the orders has ended.
process.once("disconnect", () => process.exit(0));
server.listen({ port: 0, host: "127.0.0.1", backlog: 8_192 }, () =>
  process.send?.({ kind: "ready", port: (server.address() as AddressInfo).port }),
);
