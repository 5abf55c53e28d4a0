import { setTimeout as sleep } from "node:timers/promises";
import { signedRequest } from "../../testbed/callers/signed-call.ts";
import type { Operation } from "../../testbed/judge/record.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import type { Installation } from "../../testbed/stage/installation.ts";
import { Players } from "../../testbed/stage/players.ts";

/** Refusals that are a provider's right answer: the transaction was refunded or rolled back before. */
const RIGHT: ReadonlySet<string> = new Set(["TRANSACTION_REVERSED"]);
const REST_PAUSE_MS = 50;

/** The calls of one phase of an upgrade. */
export interface Phase {
  readonly title: string;
  readonly calls: number;
  /** Each reason of failed calls, with their number. */
  readonly failed: ReadonlyMap<string, number>;
  readonly longestMs: number;
}

interface RestCall {
  readonly status: string;
  readonly tookMs: number;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** All players play through one address, and all merchants make signed REST calls. Failed calls are counted by phase. */
export class Calls {
  readonly #installation: Installation;
  readonly #ports: { readonly rest: number; readonly grpc: number };
  readonly #players: Players;
  readonly #rest: RestCall[] = [];
  /** `from`: when the phase began, in milliseconds since 1970. */
  readonly #phases: { readonly title: string; readonly from: number }[] = [];
  #running = true;
  #merchants: Promise<void> = Promise.resolve();

  constructor(installation: Installation, ports: { readonly rest: number; readonly grpc: number }, seed: number) {
    this.#installation = installation;
    this.#ports = ports;
    this.#players = new Players(installation, () => [{ ports }], new SeededRandom(seed));
  }

  start(): void {
    this.#players.play();
    this.#merchants = this.#ask();
  }

  /** Calls that end from now on belong to this phase, because its change may make them fail. */
  begin(title: string): void {
    this.#phases.push({ title, from: Date.now() });
  }

  /** Ends all calls. Returns the phases. */
  async stop(): Promise<readonly Phase[]> {
    this.#running = false;
    await Promise.all([this.#players.pause(), this.#merchants]);
    const { operations } = this.#installation.history;
    return this.#phases.map(({ title, from }, i) => {
      const to = this.#phases[i + 1]?.from ?? Number.POSITIVE_INFINITY;
      const isOwn = ({ endedAt }: { readonly endedAt: number | null }) =>
        endedAt === null ? to === Number.POSITIVE_INFINITY : endedAt >= from && endedAt < to;
      const bets = operations.filter(isOwn);
      const rest = this.#rest.filter(isOwn);
      const faults = [...bets.map(faultOf), ...rest.map(({ status }) => (status === "200" ? null : `REST ${status}`))];
      const failed = new Map<string, number>();
      for (const fault of faults) if (fault !== null) failed.set(fault, (failed.get(fault) ?? 0) + 1);
      const times = [
        ...bets.map((one) => (one.endedAt ?? one.invokedAt) - one.invokedAt),
        ...rest.map((one) => one.tookMs),
      ];
      return { title, calls: bets.length + rest.length, failed, longestMs: Math.max(0, ...times) };
    });
  }

  async #ask(): Promise<void> {
    const { merchants } = this.#installation.directory;
    for (let n = 0; this.#running; n++) {
      const begun = performance.now();
      const status = await signedRequest(merchants[n % merchants.length] as (typeof merchants)[number])(
        `http://127.0.0.1:${this.#ports.rest}`,
      );
      this.#rest.push({ status, tookMs: performance.now() - begun, endedAt: Date.now() });
      await sleep(REST_PAUSE_MS);
    }
  }
}

/** null: the call did not fail. */
function faultOf({ outcome }: Operation): string | null {
  if (outcome.kind === "unknown") return "no reply";
  return outcome.kind === "refused" && !RIGHT.has(outcome.code) ? outcome.code : null;
}
