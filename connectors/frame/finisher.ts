/** Ends what the connector itself must end: bets without a clear answer, of which the provider may never hear again. */
import { Deadline } from "./deadline.ts";
import type { Desk } from "./desk.ts";
import { derivedId } from "./ids.ts";
import type { Task } from "./state/open-bets.ts";
import type { Player, Store } from "./state/store.ts";
import type { Verdict } from "./verdict.ts";
import type { Watch } from "./watch.ts";

const PAUSE_MS = 1_000;
const AGAIN_MS = 30_000;
const TASKS_AT_ONCE = 20;
const PATIENCE_MS = 10_000;
/** After so many tries people are told, again and again. */
const STUCK_AFTER = 10;
const PURGE_EVERY = 60;
/** After these verdicts nothing more is to be done. A mismatch: what is recorded under the id is not this bet. */
const ENDED: ReadonlySet<Verdict> = new Set<Verdict>([
  "ok",
  "pending",
  "settled",
  "debt",
  "reversed",
  "mismatch",
  "other_reference",
]);

/** The id of the connector's own reversal of a bet. Bets of a provider never begin with this text. */
export const ownReversalId = (betTxId: string): string => derivedId("own~", betTxId);

export class Finisher {
  readonly #desk: Desk;
  readonly #store: Store;
  readonly #watch: Watch;
  readonly #keepMs: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(desk: Desk, store: Store, watch: Watch, keepMs: number) {
    this.#desk = desk;
    this.#store = store;
    this.#watch = watch;
    this.#keepMs = keepMs;
  }

  start(): void {
    let turn = 0;
    const next = () => {
      this.#running = this.#turn(turn++)
        .catch((cause) => this.#watch.log.error({ err: cause }, "the queue could not be read"))
        .then(() => {
          if (!this.#isStopped) this.#timer = setTimeout(next, PAUSE_MS);
        });
    };
    next();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #turn(turn: number): Promise<void> {
    const { bets } = this.#store;
    await Promise.all((await bets.due(TASKS_AT_ONCE, AGAIN_MS)).map((task) => this.#end(task)));
    const { armed, debt } = await bets.count();
    this.#watch.tasks("armed", armed);
    this.#watch.tasks("debt", debt);
    if (turn % PURGE_EVERY === 0) await this.#store.purge(this.#keepMs);
  }

  /** Only a bet of this amount is reversed: a win or another bet may have come under the same id. */
  async #end({ id, playerRef, game, amount, attempts }: Task): Promise<void> {
    const player = { alias: "", playerRef, game } as Player;
    const bet = { refTxId: id, onlyBet: true, unlessSettled: true, amountMinor: BigInt(amount ?? 0) };
    const reversal = { player, game, txId: ownReversalId(id), ...bet };
    const { verdict } = await this.#desk.reverse(reversal, new Deadline(PATIENCE_MS));
    this.#watch.alert("own_reversal", { tx: id, verdict });
    if (ENDED.has(verdict)) await this.#store.bets.close(id, "ended");
    else if (attempts >= STUCK_AFTER) this.#watch.alert("own_reversal_stuck", { tx: id, verdict });
  }
}
