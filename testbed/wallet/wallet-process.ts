/**
 * The reference wallet as a separate process, so that faults of the service do not affect it. It keeps the ledger that
 * docs/specification/wallet-contract.md requires, behaves as ordered for each tx_id, and records every callback.
 * Arguments: the ledger's file. Orders come over IPC.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Ledger, type LedgerRules, type Reply } from "../../sandbox/merchant/ledger.ts";
import { checkSignature } from "../../sandbox/merchant/signature.ts";
import { SeededRandom } from "../seeded-random.ts";
import { type Behaviour, OK } from "./behaviour.ts";
import type { LedgerLine } from "./ledger-file.ts";

export interface WalletMerchant {
  readonly code: string;
  readonly secret: string;
  readonly currency: "BRL" | "CLP";
  readonly players: readonly string[];
}

/** The orders. The process answers each order with `{kind: "done"}`. */
export type WalletOrder =
  | {
      readonly kind: "merchants";
      readonly merchants: readonly WalletMerchant[];
      readonly rules: Partial<LedgerRules>;
      readonly openingMinor: bigint;
    }
  /** Behaviours for the calls of each tx_id, in order. For further calls the order `rates` decides. */
  | { readonly kind: "script"; readonly behaviours: ReadonlyMap<string, readonly Behaviour[]> }
  /**
   * Behaviours for calls without a script, each with its probability (0 to 1). The remaining calls are answered by the
   * rules.
   */
  | { readonly kind: "rates"; readonly seed: number; readonly rates: readonly (readonly [Behaviour, number])[] };

export type WalletMessage = { readonly kind: "ready"; readonly port: number } | { readonly kind: "done" };

const file = openSync(process.argv[2] ?? "", "a");
const write = (line: LedgerLine): void => void writeSync(file, `${JSON.stringify(line)}\n`);
const secrets = new Map<string, string>();
const scripts = new Map<string, Behaviour[]>();
/** Scripted rejections by merchant and tx_id, because a wallet must keep its rejections of bets and rollbacks. */
const kept = new Map<string, Reply>();
let keepsRejections = true;
let rates: readonly (readonly [Behaviour, number])[] = [];
let random = new SeededRandom(1, 1);
let ledger = new Ledger();
let calls = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk: Buffer) => chunks.push(chunk))
    // The event loop reads data before it notices closed sockets. With this delay, sockets that closed before this
    // request are handled first.
    .once("end", () => setImmediate(() => setImmediate(() => answer(request, response, Buffer.concat(chunks)))));
});

function answer(request: IncomingMessage, response: ServerResponse, raw: Buffer): void {
  const call = ++calls;
  const header = (name: string): string => String(request.headers[name] ?? "");
  const merchant = header("x-merchant-id");
  const secret = secrets.get(merchant);
  const received = { method: request.method ?? "", target: request.url ?? "", headers: request.headers, body: raw };
  const signature = secret === undefined ? "unknown_merchant" : checkSignature([secret], received, Date.now());
  const body = raw.toString("utf8");
  write({
    kind: "received",
    call,
    at: Date.now(),
    merchant,
    attempt: Number(header("x-attempt")),
    requestId: header("x-request-id"),
    body,
    signature,
  });
  const callback = JSON.parse(body) as { readonly action: string; readonly tx_id?: string };
  const behaviour = signature === "ok" ? next(callback.tx_id) : OK;
  let reply: Reply | null = null;
  let ended = false;
  const end = (how: "replied" | "cut"): void => {
    if (!ended)
      write({
        kind: "ended",
        call,
        at: Date.now(),
        how,
        answer: how === "replied" && behaviour.reply === "whole" ? reply : null,
      });
    ended = true;
  };
  response.once("finish", () => end("replied")).once("close", () => end("cut"));
  const answer = (): void => {
    reply = signature === "ok" ? judge(call, behaviour, merchant, callback) : { ok: false, error: "INVALID_SIGNATURE" };
    setTimeout(() => send(response, behaviour, reply), behaviour.afterMs ?? 0);
  };
  if (behaviour.judgedAfterMs === undefined) answer();
  else setTimeout(answer, behaviour.judgedAfterMs);
}

function next(txId: string | undefined): Behaviour {
  const scripted = txId === undefined ? undefined : scripts.get(txId)?.shift();
  if (scripted !== undefined) return scripted;
  let drawn = rates.length === 0 || txId === undefined ? 1 : random.fraction();
  for (const [behaviour, rate] of rates) {
    drawn -= rate;
    if (drawn < 0) return behaviour;
  }
  return OK;
}

function judge(
  call: number,
  { judge: how }: Behaviour,
  merchant: string,
  callback: { readonly action: string; readonly tx_id?: string },
): Reply | null {
  if (how === "nobody") return null;
  const key = `${merchant}/${callback.tx_id}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const isApplied = () =>
    ledger.effects.some((effect) => effect.merchant === merchant && effect.txId === callback.tx_id);
  if (how === "rejects" && !isApplied()) {
    const reply: Reply = { ok: false, error: "PLAYER_BLOCKED" };
    if (keepsRejections && (callback.action === "bet" || callback.action === "rollback")) kept.set(key, reply);
    return reply;
  }
  const { length } = ledger.effects;
  const reply = ledger.apply(merchant, callback);
  for (const effect of ledger.effects.slice(length))
    write({ kind: "applied", call, at: Date.now(), effect: { ...effect, deltaMinor: String(effect.deltaMinor) } });
  return reply;
}

function send(response: ServerResponse, { reply: how, bodyAfterMs }: Behaviour, reply: Reply | null): void {
  if (how === "none") return;
  const text = JSON.stringify(reply ?? { ok: true, balance: 1 });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(how === "http_500" ? 500 : 200, headers);
  if (how === "headers") return void response.flushHeaders();
  if (bodyAfterMs === undefined) return void response.end(text);
  response.flushHeaders();
  setTimeout(() => response.end(text), bodyAfterMs);
}

function obey(order: WalletOrder): void {
  if (order.kind === "script") for (const [txId, behaviours] of order.behaviours) scripts.set(txId, [...behaviours]);
  else if (order.kind === "rates") {
    rates = order.rates;
    random = new SeededRandom(order.seed, 1);
  } else {
    ledger = new Ledger(order.rules);
    keepsRejections = order.rules.keepsRejections ?? true;
    for (const { code, secret, currency, players } of order.merchants) {
      secrets.set(code, secret);
      ledger.addMerchant(code, currency);
      for (const player of players) ledger.addPlayer(code, player, order.openingMinor);
    }
  }
}

const sendMessage = (message: WalletMessage): void => void process.send?.(message);
process.on("message", (order: WalletOrder) => {
  obey(order);
  sendMessage({ kind: "done" });
});
// The process that started this one has ended.
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => {
  closeSync(file);
  process.exit(0);
});
// Ctrl+C does not end the wallet, because it must end after the service.
process.on("SIGINT", () => {});
server.listen(0, "127.0.0.1", () => sendMessage({ kind: "ready", port: (server.address() as AddressInfo).port }));
