import type { TLSSocket } from "node:tls";
import { SPORTSBOOK, SPORTSBOOK_GAME } from "../../domain/catalog/provider.ts";
import { walletUrlFault } from "../../domain/merchant/wallet-url.ts";
import type { PlayerId, ProviderCode } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { WalletTarget } from "../../ports/wallet.ts";
import { type Ping, type PingFault, type PingReply, WalletPing } from "../../ports/wallet-ping.ts";
import { AddressRefused } from "./address-guard.ts";
import { balanceBody } from "./callback.ts";
import { CLIENTS } from "./clients.ts";
import type { Connector } from "./connection.ts";
import { type HttpWalletOptions, WalletConnectors } from "./connector.ts";
import type { Ending } from "./exchange.ts";
import { readReply } from "./reply.ts";
import { replyStart } from "./reply-start.ts";
import { SignedPosts } from "./signed-post.ts";

/** When each part of a ping ended, by Clock.monotonic(). */
interface Marks {
  looked?: number;
  lookupError?: NodeJS.ErrnoException;
  connected?: number;
  secured?: number;
  firstByte?: number;
  /** The content of the wallet's certificate, whether the certificate is trusted or not. */
  certificate?: { readonly names: string | null; readonly validTo: number | null };
}

/** Pings wallets over connections that no other call uses, so that each step of a connection is tested and measured. */
export class HttpWalletPing extends WalletPing {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #options: HttpWalletOptions;
  readonly #connectors: WalletConnectors;
  readonly #posts: SignedPosts;

  constructor(clock: Clock, random: Random, options: HttpWalletOptions) {
    super();
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#connectors = new WalletConnectors(options);
    this.#posts = new SignedPosts(clock, random, options.timeoutMs);
  }

  override ping(target: WalletTarget, playerId: PlayerId, currency: Currency): Promise<Ping> {
    const requestId = this.#random.uuid();
    const { walletUrl } = target;
    const rule = walletUrl === null ? "there is none" : walletUrlFault(walletUrl, this.#options)?.rule;
    if (walletUrl === null || rule !== undefined) {
      const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 };
      return Promise.resolve({
        reply: null,
        fault: { at: "wallet_url", rule: rule ?? "" },
        timings,
        requestId,
        path: "",
      });
    }
    const url = new URL(walletUrl);
    const path = url.pathname + url.search;
    const began = this.#clock.monotonic();
    const marks: Marks = {};
    return new Promise((resolve) => {
      const connection = CLIENTS[this.#options.client ?? "own"](url.origin, this.#connector(marks), () => undefined);
      const end = (ending: Ending): void => {
        connection.destroy();
        const trace = { timings: timings(marks, began, this.#clock.monotonic()), requestId, path };
        if (ending.fault === null) resolve({ ...trace, reply: replyOf(ending, currency, target), fault: null });
        else resolve({ ...trace, reply: null, fault: faultOf(ending, marks, this.#options.timeoutMs) });
      };
      const body = balanceBody({ playerId, currency, provider: SPORTSBOOK as ProviderCode, game: SPORTSBOOK_GAME });
      const post = { target, path, body, requestId, attempt: 1, traceparent: undefined };
      this.#posts.send(connection, post, end, () => {
        marks.firstByte ??= this.#clock.monotonic();
      });
    });
  }

  /** A connector that records when each step of its one connection ended. */
  #connector(marks: Marks): Connector {
    const now = () => this.#clock.monotonic();
    return this.#connectors.make({
      lookedUp: (error) => {
        marks.looked = now();
        if (error !== null) marks.lookupError = error;
      },
      connected: () => {
        marks.connected = now();
      },
      securing: (socket) => {
        // This event comes before the certificate is verified. After that, the socket of a bad certificate is gone.
        socket.prependListener("secure", () => {
          marks.certificate = certificateOf(socket);
        });
        socket.once("secureConnect", () => {
          marks.secured = now();
        });
      },
    });
  }
}

function certificateOf(socket: TLSSocket): NonNullable<Marks["certificate"]> {
  const { subjectaltname, valid_to } = socket.getPeerCertificate();
  const validTo = Date.parse(valid_to ?? "");
  return { names: subjectaltname ?? null, validTo: Number.isNaN(validTo) ? null : validTo };
}

function replyOf(
  { status, body, coding }: Extract<Ending, { readonly fault: null }>,
  currency: Currency,
  target: WalletTarget,
): PingReply {
  const reading = readReply(status, body, currency);
  const start = replyStart(body, target, coding) ?? "";
  if (reading.result === "accepted" || reading.result === "rejected") return { status, answer: reading.answer, start };
  return { status, answer: { kind: "unreadable", cause: reading.result, coding: coding ?? null }, start };
}

function faultOf(
  ending: Extract<Ending, { readonly fault: string }>,
  { lookupError, certificate }: Marks,
  timeoutMs: number,
): PingFault {
  const { error } = ending;
  const [code, message] = [error?.code ?? "", error?.message ?? ""];
  if (lookupError instanceof AddressRefused) return { at: "address", message: lookupError.message };
  if (lookupError !== undefined) return { at: "dns", code: lookupError.code ?? "", message: lookupError.message };
  if (ending.fault === "timeout") return { at: "timeout", afterMs: timeoutMs };
  if (ending.fault === "tls") return { at: "tls", code, message, names: null, validTo: null, ...certificate };
  return { at: "connection", code: ending.fault === "too_large" ? "too_large" : code, message };
}

/**
 * The duration of each step. A connection to an IP address has no look-up, and a connection without TLS has no
 * handshake.
 */
function timings({ looked, connected, secured, firstByte }: Marks, began: number, ended: number): Ping["timings"] {
  const from = (end: number | undefined, ...starts: readonly (number | undefined)[]) =>
    end === undefined ? null : Math.round(end - (starts.find((start) => start !== undefined) ?? began));
  return {
    dnsMs: from(looked),
    connectMs: from(connected, looked),
    tlsMs: from(secured, connected),
    firstByteMs: from(firstByte, secured, connected),
    totalMs: Math.round(ended - began),
  };
}
