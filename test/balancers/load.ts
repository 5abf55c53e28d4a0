import { setTimeout as sleep } from "node:timers/promises";
import { GrpcCaller } from "../../testbed/callers/grpc-caller.ts";
import { signedCall } from "../../testbed/callers/signed-call.ts";
import { METHODS } from "../../testbed/provider/methods.ts";

const GRPC_CALLERS = 8;
const REST_CALLERS = 2;
const PAUSE_MS = 20;
const DEADLINE_MS = 20_000;

interface Target {
  readonly rest: number;
  readonly grpc: number;
  readonly session: string;
  readonly apiKey: string;
  readonly secret: string;
}

interface Counts {
  readonly calls: number;
  readonly failed: number;
  readonly longestMs: number;
  /** The reasons of failed calls with their numbers. */
  readonly reasons: string;
}

/** Bets over gRPC and signed REST calls through a balancer. Each caller makes one call after the other and repeats none. */
export class Load {
  readonly #target: Target;
  readonly #ends: (() => void)[] = [];
  #running = true;
  #callers: Promise<unknown>[] = [];
  #calls = 0;
  #longestMs = 0;
  #reasons = new Map<string, number>();
  #bets = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  start(): void {
    const { rest, grpc, session, apiKey, secret } = this.#target;
    const scope = { teardown: (end: () => void) => void this.#ends.push(end) };
    const bet = async (caller: GrpcCaller): Promise<void> => {
      const request = { sessionId: session, txId: `b-${++this.#bets}`, roundId: "r", amountMinor: 1n, currency: "BRL" };
      await caller.call(METHODS.bet, request, { keys: [apiKey], deadline: Date.now() + DEADLINE_MS });
    };
    const page = async (): Promise<void> => {
      const credentials = { code: "shop-brl", secret };
      const reply = await signedCall(`http://127.0.0.1:${rest}`, credentials, "GET", "/v1/transactions?limit=1");
      if (!reply.ok) throw new Error(`REST ${reply.status}`);
    };
    const callers = Array.from({ length: GRPC_CALLERS }, () => new GrpcCaller(scope, grpc));
    this.#callers = [
      ...callers.map((caller) => this.#loop(() => bet(caller))),
      ...Array.from({ length: REST_CALLERS }, () => this.#loop(page)),
    ];
  }

  /** Forgets what was counted. */
  begin(): void {
    [this.#calls, this.#longestMs] = [0, 0];
    this.#reasons = new Map();
  }

  end(): Counts {
    const reasons = [...this.#reasons].map(([reason, count]) => `${count} × ${reason}`).join(", ");
    const failed = [...this.#reasons.values()].reduce((all, count) => all + count, 0);
    return { calls: this.#calls, failed, longestMs: this.#longestMs, reasons };
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#callers);
    for (const end of this.#ends) end();
  }

  async #loop(call: () => Promise<void>): Promise<void> {
    while (this.#running) {
      const began = performance.now();
      try {
        await call();
      } catch (cause) {
        const { message, cause: inner } = cause as Error;
        const reason = `${message}${inner instanceof Error ? `: ${inner.message}` : ""}`.slice(0, 100);
        this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
      }
      this.#calls += 1;
      this.#longestMs = Math.max(this.#longestMs, performance.now() - began);
      await sleep(PAUSE_MS);
    }
  }
}
