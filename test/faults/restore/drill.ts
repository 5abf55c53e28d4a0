import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  type BaseBackup,
  type BinaryLog,
  replay,
  restoreBaseBackup,
  takeBaseBackup,
} from "../../../testbed/database/base-backup.ts";
import { type Violation, violation } from "../../../testbed/judge/record.ts";
import type { Stage } from "../database/stage.ts";

/** The result of a drill. */
export interface Drilled {
  readonly title: string;
  /** What was measured, in the order of the steps: a name and a text. */
  readonly figures: readonly (readonly [string, string])[];
  readonly violations: readonly Violation[];
}

/** What a drill that runs has measured and found so far. */
export class Figures {
  readonly figures: (readonly [string, string])[] = [];
  readonly violations: Violation[] = [];
  readonly #title: string;

  constructor(title: string) {
    this.#title = title;
  }

  get result(): Drilled {
    return { title: this.#title, figures: this.figures, violations: this.violations };
  }

  note(name: string, text: string): void {
    this.figures.push([name, text]);
  }

  wrong(what: string, key = this.#title): void {
    this.violations.push(violation("I0", key, what));
  }

  /**
   * Measures a step.
   *
   * @param more - a text about its result.
   */
  async step<T>(name: string, act: () => Promise<T>, more: (result: T) => string = () => ""): Promise<T> {
    const begun = performance.now();
    const result = await act();
    this.note(name, `${seconds(performance.now() - begun)}${more(result)}`);
    return result;
  }
}

/** A drill of one MariaDB, with its stage and the server's binary log. */
export class Drill extends Figures {
  readonly stage: Stage;
  readonly #log: BinaryLog;

  constructor(title: string, stage: Stage, log: BinaryLog) {
    super(title);
    this.stage = stage;
    this.#log = log;
  }

  /** Takes a base backup while the players play. */
  takeBase(): Promise<BaseBackup> {
    const { server, players, installation } = this.stage;
    return this.step(
      "base backup while bets ran",
      () => takeBaseBackup(server, join(installation.folder, `base-${Date.now()}`)),
      ({ bytes }) => `, ${megabytes(bytes)}; the longest time without a reply: ${seconds(players.longestSilenceMs)}`,
    );
  }

  /** Kills the server and removes all its files. The binary log is elsewhere and stays. */
  async lose(): Promise<void> {
    await this.stage.server.kill();
    rmSync(this.stage.server.data, { recursive: true });
  }

  /**
   * Steps 1 and 2 of docs/deployment.md.
   *
   * @param until - the restored moment; by default the binary log's end.
   */
  async restore(base: BaseBackup, until?: Date): Promise<void> {
    const { stage } = this;
    const { server } = stage;
    await this.step("1. every replica is stopped", () => stage.stopReplicas());
    await this.step("2. the base backup is restored, the server started", async () => {
      await restoreBaseBackup(server, base);
      const log = this.#log.keep();
      await server.restart();
      return log;
    }).then((log) =>
      this.step(
        "   the binary log is applied",
        () => replay(server, base, log, until),
        (bytes) => `, ${megabytes(bytes)}`,
      ),
    );
  }

  /** Starts a replica in the place of each stopped one. */
  async start(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { stage } = this;
    const ready = await this.step(name, async () => {
      await stage.replaceReplicas(env);
      return stage.until("ready");
    });
    if (ready === undefined) this.wrong("a replica does not get ready after the restore");
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
