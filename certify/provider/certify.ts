/** A pass: every case against one provider. */

import { endingOf, type Finding } from "../report/ending.ts";
import { Unreachable } from "../report/faults.ts";
import type { Ending } from "../report/report.ts";
import { Aggregator, type ListenOptions } from "./aggregator/aggregator.ts";
import type { Call } from "./aggregator/session.ts";
import type { Case, Category } from "./case.ts";
import { CATEGORIES } from "./cases/list.ts";
import type { Driver } from "./drive/driver.ts";
import { Source } from "./source.ts";
import { type Setting, Trial, type Waits } from "./trial.ts";

export interface Plan {
  /** The provider's source, as http://host:port or https://host:port. */
  readonly source: URL;
  readonly provider: string;
  /** The API key that the provider uses. */
  readonly key: string;
  readonly game: string;
  readonly currency: string;
  /** The address that the provider calls. */
  readonly listen: ListenOptions;
  readonly waits: Waits;
  /** The maximum number of spins until a win comes. */
  readonly spinsMax: number;
  /** Categories, or cases as `category/case`; empty: all cases. */
  readonly only?: readonly string[];
}

export interface Outcome extends Ending<Finding<Call>> {
  readonly category: Category;
  readonly case: Case;
  readonly calls: readonly Call[];
  readonly ms: number;
}

export interface Pass {
  /** The time at which the pass began. */
  readonly at: Date;
  readonly ms: number;
  readonly plan: Plan;
  /** The address that the provider called, host:port. */
  readonly address: string;
  /** In the order of the categories and their cases. */
  readonly outcomes: readonly Outcome[];
  readonly calls: readonly Call[];
}

type Listener = (outcome: Outcome, done: number, all: number) => void;

/**
 * Runs the plan. Calls `onOutcome` after each case.
 *
 * @throws Unreachable
 */
export async function certify(plan: Plan, driver: Driver, onOutcome: Listener = () => {}): Promise<Pass> {
  const aggregator = new Aggregator(plan.provider, plan.key, plan.listen);
  await aggregator.listen().catch((cause: Error) => {
    throw new Unreachable(
      `Nothing can listen at ${plan.listen.host}:${plan.listen.port}: ${cause.message}. Choose another --listen.`,
    );
  });
  try {
    const setting = { ...plan, aggregator, source: new Source(plan.source), driver };
    return await new PassRun(plan, setting).run(onOutcome);
  } finally {
    await aggregator.close();
  }
}

interface Planned {
  readonly category: Category;
  readonly case: Case;
}

class PassRun {
  readonly #plan: Plan;
  readonly #setting: Setting;
  readonly #trials: Trial[] = [];
  readonly #outcomes: Outcome[] = [];

  constructor(plan: Plan, setting: Setting) {
    this.#plan = plan;
    this.#setting = setting;
  }

  async run(onOutcome: Listener): Promise<Pass> {
    const at = new Date();
    const began = performance.now();
    const planned = this.#planned();
    const run = async (one: Planned): Promise<void> => {
      const outcome = { ...one, ...(await this.#try(one)) };
      this.#outcomes.push(outcome);
      if (this.#outcomes.length === 1) this.#demandCalls();
      onOutcome(outcome, this.#outcomes.length, planned.length);
    };
    await this.#reach();
    const anyTime = planned.filter((one) => one.case.when === "any time");
    // The first case runs alone: if it gets no call, the pass ends.
    const [first, ...others] = anyTime.sort((a, b) => Number(isLaunch(a)) - Number(isLaunch(b)));
    if (first !== undefined) {
      await run(first);
      await inTurns(others, this.#setting.driver.atOnce, run);
    }
    for (const when of ["alone", "last"] as const)
      for (const one of planned.filter((two) => two.case.when === when)) await run(one);
    const order = (outcome: Outcome): number => planned.findIndex((one) => one.case === outcome.case);
    const { aggregator } = this.#setting;
    return {
      at,
      ms: performance.now() - began,
      plan: this.#plan,
      address: aggregator.address,
      outcomes: this.#outcomes.sort((a, b) => order(a) - order(b)),
      calls: aggregator.calls,
    };
  }

  #planned(): Planned[] {
    const { only = [] } = this.#plan;
    return CATEGORIES.flatMap((category) => category.cases.map((one) => ({ category, case: one }))).filter(
      (one) => only.length === 0 || only.some((name) => name === one.category.id || name === nameOf(one)),
    );
  }

  async #try(one: Planned): Promise<Omit<Outcome, keyof Planned>> {
    const trial = new Trial(this.#setting, nameOf(one), [...this.#trials]);
    this.#trials.push(trial);
    const began = performance.now();
    const cause = await one.case.run(trial).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { ...endingOf<Call>(cause, one.case.level), calls: trial.calls, ms: performance.now() - began };
  }

  /** @throws Unreachable when the source opens no game. */
  async #reach(): Promise<void> {
    const trial = new Trial(this.#setting, "", []);
    const opening = await trial.launch(trial.session());
    if (!("fault" in opening)) return;
    const { source, game } = this.#plan;
    throw new Unreachable(
      `The source ${source.host} did not open the game ${game}: OpenGame got ${opening.fault}. Does your GameService listen there, and does it have this game?`,
    );
  }

  /** @throws Unreachable when no call, or no call with the right key, came during the first case. */
  #demandCalls(): void {
    const { aggregator, waits } = this.#setting;
    const [outcome] = this.#outcomes;
    const { calls } = aggregator;
    const isStranger = ({ answer }: Call): boolean =>
      answer?.kind === "refused" && answer.code === "INVALID_API_KEY" && !answer.isPlanned;
    if (calls.length > 0 && calls.every(isStranger))
      throw new Unreachable("The provider called with another key than --key.");
    if (outcome?.unprepared && calls.length === 0)
      throw new Unreachable(
        `${outcome.why} No call came at all within ${waits.bet / 1_000} s. The provider's aggregator address must be ${aggregator.address}, ${this.#plan.listen.tls === undefined ? "without" : "with"} TLS.`,
      );
  }
}

const isLaunch = ({ category }: Planned): boolean => category.id === "launch";
export const nameOf = ({ category, case: { id } }: Planned): string => `${category.id}/${id}`;

/** Runs all items, at most `atOnce` at the same time. */
async function inTurns<T>(all: readonly T[], atOnce: number, run: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await run(one);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work));
}
