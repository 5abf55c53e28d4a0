import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import { keyText } from "../../src/domain/values/identifiers.ts";
import { judge, type Standstill } from "../../testbed/judge/judge.ts";
import { type Outcome, type Violation, violation } from "../../testbed/judge/record.ts";
import { settled } from "../../testbed/judge/stored-rows.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import { Installation, type Player } from "../../testbed/stage/installation.ts";
import { readLedger } from "../../testbed/wallet/ledger-file.ts";
import { ASKED, CELLS, type Cell, endingOf, NEXTS, OUTCOMES, type Point, WORKER_POINTS } from "./cells.ts";
import { behavioursOf, type Send, type Trial, trialOf } from "./trial.ts";

/** The fault of the process at the point. */
export type Injection = { readonly kind: "kill" } | { readonly kind: "pause"; readonly ms: number };

/**
 * The time for which transactions wait at a point, so that one kill hits many of them. At points after a silent wallet
 * call they wait longer.
 */
const GATHER_MS: Readonly<Partial<Record<Point, number>>> = {
  CP0: 250,
  CP1: 250,
  CP2: 150,
  CP3: 300,
  CP4: 400,
  CP5: 250,
  CP6: 250,
  CP12: 300,
  CP14: 150,
  CP18: 100,
  CP7: 900,
  CP8: 900,
  CP9: 900,
  CP10: 900,
  CP13: 900,
  CP15: 900,
};
/** At these points only the victim may resend; the other process is paused meanwhile. */
export const WITHOUT_SURVIVOR: ReadonlySet<Point> = new Set([...WORKER_POINTS, "CP4"]);

const FIRES_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 120_000;
const CALL_MS = 5_000;
/** At these points a call has begun before the pause, and its request reaches the wallet after the pause. */
const SENDS_LATER: ReadonlySet<Point> = new Set(["CP3", "CP4"]);

/**
 * An installation in which the test kills or pauses processes of the service, one at a time. Another process survives
 * and finishes the open work.
 */
export class Stage {
  readonly #installation: Installation;
  readonly #random: SeededRandom;
  #survivor: Replica;
  readonly #afterwards: Promise<unknown>[] = [];
  readonly #standstills: Standstill[] = [];
  readonly #deaths: number[] = [];
  readonly #bugs: string[] = [];
  readonly #unanswered: Violation[] = [];
  #trials = 0;

  private constructor(installation: Installation, survivor: Replica, random: SeededRandom) {
    this.#installation = installation;
    this.#survivor = survivor;
    this.#random = random;
  }

  /** @param databaseUrl - the URL of an empty database. */
  static async open(databaseUrl: string, seed: number, rules: Partial<LedgerRules> = {}): Promise<Stage> {
    const installation = await Installation.open({ databaseUrl, rules, merchants: 16, sessionsEach: 1 });
    return new Stage(installation, await installation.startReplica(), new SeededRandom(seed, 1));
  }

  /**
   * Kills or pauses one process in the middle of all these cells of one point. Their ids have one ending.
   *
   * @returns the cells whose transaction was at the point.
   */
  async inject(point: Point, cells: readonly Cell[], injection: Injection, nth = 1): Promise<Cell[]> {
    const trials = cells.map((cell) =>
      trialOf(cell, this.#nextPlayer(), `t${this.#trials}`, this.#installation, this.#random),
    );
    await this.#prepare(trials);
    const alone = WITHOUT_SURVIVOR.has(point);
    if (alone) await this.#stillness();
    if (alone) this.#survivor.pause();
    const what = injection.kind === "kill" ? "kill" : `pause=${injection.ms}`;
    const ending = cells[0] === undefined ? "" : endingOf(cells[0]);
    const victim = await this.#installation.startReplica({
      GAS_FAILPOINTS: `${point}:${what}@${nth}+${GATHER_MS[point] ?? 0}${ending && `/${ending}`}`,
    });
    const asking = new Map(trials.map((trial) => [trial, this.#ask(trial, victim)]));
    if (point === "CP18") {
      await this.#until(() => this.#received(trials));
      victim.signal("SIGTERM");
    }
    const [over, answered] = [new Set<Trial>(), new Set<Trial>()];
    for (const [trial, request] of asking)
      void request.then(({ kind }) => {
        over.add(trial);
        if (kind !== "unknown") answered.add(trial);
      });
    // A worker reaches its point by itself. Other points need a request: without open requests they are never reached.
    await this.#until(
      () => firedAt(victim) !== undefined || !victim.isRunning || (!alone && over.size === trials.length),
    );
    if (alone) this.#survivor.resume();
    const fired = firedAt(victim);
    const reached = trials.filter((trial) =>
      point === "CP18" ? !answered.has(trial) : fired?.met.includes(trial.own) === true,
    );
    if (fired !== undefined && injection.kind === "pause") {
      // A trial that did not reach the point may be at any place, even between its claim and its send.
      const keys = trials
        .filter((trial) => SENDS_LATER.has(point) || !reached.includes(trial))
        .flatMap((trial) => trial.keys);
      this.#standstills.push({ at: fired.at, until: fired.at + injection.ms, keys });
    }
    if (fired !== undefined && injection.kind === "kill") {
      this.#deaths.push(fired.at);
      await victim.ended();
    }
    for (const trial of trials) this.#afterwards.push(this.#goOn(trial));
    this.#afterwards.push(this.#leave(victim, [...asking.values()], point === "CP18"));
    return fired === undefined ? [] : reached.map(({ cell }) => cell);
  }

  /**
   * Ends processes without a failpoint, while they run a transaction of every kind and wallet, and of every provider.
   *
   * @param injectFault - gets the processes. The last process answers requests afterwards. A process that ended is
   * replaced.
   * @param environment - settings of the processes that are started.
   * @returns each request's outcome, as its provider saw it.
   */
  async interrupt(
    processes: number,
    injectFault: (replicas: readonly Replica[]) => Promise<void>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Outcome[]> {
    const cells = CELLS.filter(
      ({ point, asked, outcome, next }) =>
        point === "CP5" && NEXTS[(ASKED.indexOf(asked) + OUTCOMES.indexOf(outcome)) % NEXTS.length] === next,
    );
    const trials = cells.map((cell) =>
      trialOf(cell, this.#nextPlayer(), `t${this.#trials}`, this.#installation, this.#random),
    );
    await this.#prepare(trials);
    const victims = await Promise.all(
      Array.from({ length: processes }, () => this.#installation.startReplica(environment)),
    );
    const requests = Promise.all(trials.map((trial, i) => this.#ask(trial, victims[i % victims.length] as Replica)));
    await this.#until(() => this.#received(trials));
    this.#deaths.push(Date.now());
    await injectFault([...victims, this.#survivor]);
    if (!this.#survivor.isRunning) this.#survivor = await this.#installation.startReplica();
    const outcomes = await requests;
    for (const trial of trials) this.#afterwards.push(this.#goOn(trial));
    for (const victim of victims) this.#afterwards.push(this.#leave(victim, [], false));
    return outcomes;
  }

  /** Reports a bug that the judge cannot find. */
  report(bug: string): void {
    this.#bugs.push(bug);
  }

  /**
   * Waits until all transactions have ended, judges, and closes. With violations the records are kept, and their folder
   * is printed.
   */
  async end(): Promise<Violation[]> {
    try {
      await this.#stillness();
      this.#lookForBugs();
      const found = await judge(
        this.#installation,
        { healed: true, standstills: this.#standstills, deaths: this.#deaths, bugs: this.#bugs },
        this.#survivor.origin,
      );
      const violations = [...this.#unanswered, ...found];
      if (violations.length > 0) this.#keepRecords();
      return violations;
    } finally {
      await this.#installation.close();
    }
  }

  /** Closes without judging the run. */
  abandon(): Promise<void> {
    return this.#installation.close();
  }

  #nextPlayer(): Player {
    const { players } = this.#installation;
    return players[this.#trials++ % players.length] as Player;
  }

  /** Sets the wallet's scripts, and makes the transactions that will be reversed. */
  async #prepare(trials: readonly Trial[]): Promise<void> {
    const scripts = trials.map((trial) => [trial.content.txId, behavioursOf(trial)] as const);
    const originals = trials.flatMap(({ original, player }) =>
      original === undefined ? [] : [{ ...original, player }],
    );
    await this.#installation.wallet.script(
      new Map([...scripts, ...originals.map(({ content, behaviour }) => [content.txId, [behaviour]] as const)]),
    );
    await Promise.all(
      originals.map(({ content, player }) => this.#repeatUntil(this.#requestOf(content, player), () => true)),
    );
  }

  /**
   * Repeats until the victim has answered or ended. A trial of CP4, which needs a later call, is repeated while its
   * answer is pending.
   */
  async #ask({ cell, send }: Trial, victim: Replica): Promise<Outcome> {
    const repeats = cell.point === "CP4";
    for (;;) {
      const outcome = await send(victim, CALL_MS);
      const over = repeats
        ? isTaken(outcome) && !(outcome.kind === "ok" && outcome.status === "pending")
        : isTaken(outcome) || outcome.kind === "unknown";
      if (over || !victim.isRunning) return outcome;
      await pause(20);
    }
  }

  /** The provider's requests after the fault. */
  async #goOn({ cell: { next }, content, reversal, player, send }: Trial): Promise<void> {
    if (next === "stays silent") return;
    const last = await this.#repeatUntil(
      next === "repeats" ? send : this.#requestOf(reversal, player),
      (outcome) => outcome.kind !== "ok" || outcome.status !== "pending",
    );
    if (last !== undefined)
      this.#unanswered.push(
        violation(
          "I6",
          keyText(next === "repeats" ? content : reversal),
          `asked for ${ENDS_WITHIN_MS} ms and never got a final answer, last ${JSON.stringify(last)}`,
        ),
      );
  }

  /**
   * Repeats the request at the survivor until `isEnough` accepts an answer.
   *
   * @returns undefined, or the last answer if no answer was accepted.
   */
  async #repeatUntil(send: Send, isEnough: (outcome: Outcome) => boolean): Promise<Outcome | undefined> {
    for (const until = Date.now() + ENDS_WITHIN_MS; ; await pause(50)) {
      const outcome = await send(this.#survivor, CALL_MS);
      if (isTaken(outcome) && isEnough(outcome)) return undefined;
      if (Date.now() > until) return outcome;
    }
  }

  #requestOf(content: Trial["content"], { sessionId }: Player): Send {
    return (on, timeoutMs) => this.#installation.provider.request(content, sessionId, on, timeoutMs);
  }

  /**
   * Ends a process that was not killed.
   *
   * @param drains - whether the process is stopping already. Then a second SIGTERM would end it at once.
   */
  async #leave(victim: Replica, requests: readonly Promise<unknown>[], drains: boolean): Promise<void> {
    await Promise.all(requests);
    if (!victim.isRunning) return;
    const ended = await (drains ? victim.ended() : victim.drain());
    const late = firedAt(victim);
    // Its requests were over before it came to the point of its kill.
    if (ended === "SIGKILL" && late !== undefined) this.#deaths.push(late.at);
    else if (ended !== 0)
      this.#bugs.push(`a process that was told to stop ended with ${ended}:\n${victim.output().slice(-2_000)}`);
  }

  /** Resolves when no request and no transaction is open. */
  async #stillness(): Promise<void> {
    await Promise.all(this.#afterwards.splice(0));
    await settled(this.#installation.database, ENDS_WITHIN_MS);
  }

  #received(trials: readonly Trial[]): boolean {
    const bodies = readLedger(this.#installation.wallet.ledgerFile).flatMap((line) =>
      line.kind === "received" ? [line.body] : [],
    );
    return trials.every(({ content }) => bodies.some((body) => body.includes(`"${content.txId}"`)));
  }

  #lookForBugs(): void {
    if (!this.#survivor.isRunning)
      this.#bugs.push(`the process that nobody injured is gone:\n${this.#survivor.output().slice(-2_000)}`);
    for (const { content, outcome } of this.#installation.history.operations)
      if (outcome.kind === "refused" && outcome.code === "INTERNAL_ERROR")
        this.#bugs.push(`INTERNAL_ERROR for ${keyText(content)}`);
  }

  #keepRecords(): void {
    const kept = mkdtempSync(join(tmpdir(), "crash-"));
    for (const name of ["ledger.jsonl", "history.jsonl"])
      copyFileSync(join(this.#installation.folder, name), join(kept, name));
    console.error(`ledger and history are kept in ${kept}`);
  }

  async #until(holds: () => boolean): Promise<void> {
    for (const until = Date.now() + FIRES_WITHIN_MS; !holds() && Date.now() < until; ) await pause(10);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
/** Whether the service accepted the request, or finally refused it. */
const isTaken = (outcome: Outcome): boolean =>
  outcome.kind === "ok" ||
  outcome.kind === "uncalled" ||
  (outcome.kind === "refused" && outcome.code !== "OVERLOADED" && outcome.code !== "SERVICE_UNAVAILABLE");

/** The time at which the process's failpoint fired, and the own ids of the transactions at that point. */
function firedAt({ output }: Replica): { readonly at: number; readonly met: readonly string[] } | undefined {
  const line = output()
    .split("\n")
    .find((text) => text.startsWith('{"failpoint"'));
  return line === undefined ? undefined : (JSON.parse(line) as { at: number; met: string[] });
}
