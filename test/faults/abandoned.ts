/**
 * Faults of a process that has a transaction open at the server: its host vanishes, so that the server gets no FIN, or it
 * is stopped. The players play at other replicas meanwhile, and must not notice it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ACTION } from "../../src/adapters/sql/schema/codes.ts";
import { DIED, readLog } from "../../src/adapters/sql/transactions/attempt-log.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testbed/database/cutting-proxy.ts";
import { INTERACTIVE, NOBODY } from "../../testbed/database/interactive/transactions.ts";
import type { Operation } from "../../testbed/judge/record.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import type { Installation } from "../../testbed/stage/installation.ts";

type How = "vanished" | "stopped";

/** Longer than the server keeps a transaction without a statement, and than a lease. */
const LASTS_MS = 9_000;
/** `STOPPED_MS=600000`: processes are stopped for 10 minutes. */
const STOPPED_MS = Number(process.env.STOPPED_MS ?? LASTS_MS);
/** Bets before the fault, for comparison. */
const BEFORE_MS = 4_000;
/** docs/specification/resends.md#resend-orphans */
const SENT_WITHIN_MS = 2_000;
/** The largest part by which the median of the bets may grow, beyond what the two halves before the fault differ. */
const SLOWER_MAX = 1.1;
/** A difference that other work on the machine makes. A wait for a lock is at least ten times as long. */
const NOISE_MS = 100;
const MET_WITHIN_MS = 30_000;
const NUMBERING = { name: "the numbering of changes", inside: "UPDATE feed_head" };

const ABANDONED: readonly { readonly name: string; readonly inside: string }[] = [NUMBERING, ...INTERACTIVE];

/** Each fault inside each transaction. `leaseMs`: the length of a lease in the installation. */
export const abandoned = (
  leaseMs: number,
): readonly { readonly kind: string; readonly of: string; begin(): Abandoned }[] =>
  (["vanished", "stopped"] as const).flatMap((how) =>
    ABANDONED.map((what) => ({
      kind: how === "vanished" ? "host vanished inside" : "process stopped inside",
      of: what.name,
      begin: () => new Abandoned(how, what, leaseMs),
    })),
  );

export class Abandoned {
  readonly lastsMs: number;
  readonly #leaseMs: number;
  readonly #how: How;
  readonly #what: (typeof ABANDONED)[number];
  #proxy: CuttingProxy | undefined;
  #victim: ChildProcess | undefined;
  #replica: Replica | undefined;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #begunAt = 0;
  #struckAt = 0;
  #healedAt = 0;

  /** @param leaseMs - the length of a lease in the installation. */
  constructor(how: How, what: (typeof ABANDONED)[number], leaseMs: number) {
    this.#leaseMs = leaseMs;
    this.#how = how;
    this.#what = what;
    this.lastsMs = how === "stopped" ? STOPPED_MS : LASTS_MS;
  }

  /**
   * @param url - of the database for the process that is lost.
   * @returns when the process was stopped. Its wallet calls ended then, although their sockets close later.
   */
  async strike(installation: Installation, url: string): Promise<number[]> {
    this.#proxy = await startCuttingProxy(url);
    const through = this.#proxy.through(url);
    const go = this.#what === NUMBERING ? await this.#replicaOf(installation, through) : await this.#processOf(through);
    this.#begunAt = Date.now();
    await pause(BEFORE_MS);
    this.#struckAt = Date.now();
    // A process that is stopped never reads the reply.
    this.#proxy.cut(this.#what.inside, 1, { how: this.#how === "vanished" ? "vanish" : "silence" });
    go();
    for (const until = performance.now() + MET_WITHIN_MS; this.#proxy.lost === 0 && performance.now() < until; )
      await pause(5);
    this.#isSending = false;
    if (this.#how === "vanished") return [];
    this.#victim?.kill("SIGSTOP");
    return [Date.now()];
  }

  /** @returns the number of transactions that were left open. */
  async heal(installation: Installation): Promise<number> {
    this.#healedAt = Date.now();
    const { knex } = installation.database;
    if (this.#how === "stopped") {
      this.#victim?.kill("SIGCONT");
      await pause(1_000);
    }
    const lost = this.#proxy?.lost ?? 0;
    await this.#sending;
    if (this.#replica !== undefined) await this.#replica.stop();
    else if (this.#victim !== undefined && this.#victim.exitCode === null) {
      this.#victim.kill("SIGKILL");
      await once(this.#victim, "exit");
    }
    await this.#proxy?.close();
    for (const table of ["tx", "feed_head", "feed_mark", "ggr_hour", "stuck"])
      await knex(table).where({ merchant_id: NOBODY }).delete();
    return lost;
  }

  /** What players noticed. */
  async wrong({ history, database }: Installation): Promise<string[]> {
    const bets = history.operations.filter(({ content }) => content.action === "bet");
    const from = (start: number, end: number) => bets.filter(({ invokedAt: at }) => at >= start && at < end);
    const middle = (this.#begunAt + this.#struckAt) / 2;
    const before = [from(this.#begunAt, middle), from(middle, this.#struckAt)].map(median);
    const during = median(from(this.#struckAt, this.#healedAt));
    const noise = Math.abs((before[0] ?? 0) - (before[1] ?? 0));
    const most = Math.max(...before) * SLOWER_MAX + noise + NOISE_MS;
    const slow =
      during > most ? [`the median of the bets was ${during} ms, and ${before.join(" and ")} ms before`] : [];
    return [...slow, ...(await this.#late(database))];
  }

  /** Credits whose process was lost, and that were sent too late. */
  async #late({ knex }: Installation["database"]): Promise<string[]> {
    const found: { tx_id: string; attempt_log: string }[] = await knex("tx")
      .where("created_at", ">=", this.#begunAt)
      .where({ action: ACTION.win })
      .where("attempt_log", "like", `%${DIED}%`)
      .select("tx_id", "attempt_log");
    return found.flatMap(({ tx_id, attempt_log }) => {
      const attempts = readLog(attempt_log);
      return attempts.flatMap(({ at, result }, i) => {
        const next = attempts[i + 1];
        const waited = next === undefined ? 0 : next.at - at - this.#leaseMs;
        return result === null && waited > SENT_WITHIN_MS ? [`${tx_id} was sent ${waited} ms after its lease`] : [];
      });
    });
  }

  /** A replica of its own. It sends wins, so that credits are in flight when it is lost. */
  async #replicaOf(installation: Installation, url: string): Promise<() => void> {
    const replica = await installation.startReplica({ DATABASE_URL: url });
    this.#replica = replica;
    this.#victim = replica.process;
    this.#isSending = true;
    const [player] = installation.players;
    if (player === undefined) throw new Error("nobody plays");
    const send = async (n: number): Promise<void> => {
      const content = installation.content(player, "win", `orphan-${this.#how}-${n}-${Date.now()}`);
      await installation.provider.request(content, player.sessionId, replica);
    };
    return () => {
      this.#sending = (async () => {
        const sent: Promise<void>[] = [];
        for (let n = 0; this.#isSending; n++, await pause(20)) sent.push(send(n));
        await Promise.all(sent);
      })();
    };
  }

  async #processOf(url: string): Promise<() => void> {
    const child = spawn(process.execPath, ["testbed/database/interactive/process.ts", url, this.#what.name], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#victim = child;
    await once(child.stdout, "data");
    return () => void child.stdin.write("go\n");
  }
}

function median(operations: readonly Operation[]): number {
  const took = operations
    .flatMap(({ invokedAt, endedAt, outcome }) =>
      endedAt === null || outcome.kind !== "ok" ? [] : [endedAt - invokedAt],
    )
    .sort((a, b) => a - b);
  return took[took.length >> 1] ?? 0;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
