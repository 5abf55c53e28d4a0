import type { Action, Content, TransactionRequest } from "../../src/domain/transaction/transaction.ts";
import { keyText, type ProviderCode, type TxId, type TxKey, wireTxId } from "../../src/domain/values/identifiers.ts";
import type { Outcome, Violation } from "../../testbed/judge/record.ts";
import type { Provider } from "../../testbed/provider/provider.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import type { Player } from "../../testbed/stage/installation.ts";
import type { Behaviour } from "../../testbed/wallet/behaviour.ts";
import type { Seen } from "./seen.ts";
import type { RowTitle, Stage } from "./stage.ts";

/** A caller waits this long for one answer, and repeats its request for at most `PATIENCE_MS`. */
const CALL_MS = 20_000;
const PATIENCE_MS = 100_000;
const PAUSES_MS = [100, 300, 900];

/** Whether the service refused before it wrote anything. */
export const isTransient = (outcome: Outcome): boolean =>
  outcome.kind === "refused" && (outcome.code === "OVERLOADED" || outcome.code === "SERVICE_UNAVAILABLE");
export const isFinal = (outcome: Outcome): boolean =>
  outcome.kind === "ok"
    ? outcome.status !== "pending"
    : outcome.kind === "uncalled" || (outcome.kind === "refused" && !isTransient(outcome));
/** `success`, `failed CODE`, `pending`, a refusal's code and field, `uncalled` or `unknown`. */
export function words(outcome: Outcome): string {
  if (outcome.kind === "ok") return `${outcome.status} ${outcome.error}`.trim();
  return outcome.kind === "refused" ? [outcome.code, outcome.field ?? ""].join(" ").trim() : outcome.kind;
}

/** One run of a row, with its own ids, players and random numbers. */
export class Run {
  readonly stage: Stage;
  readonly n: number;
  readonly player: Player;
  /** Another player of the same merchant. */
  readonly neighbour: Player;
  readonly random: SeededRandom;
  readonly #row: RowTitle;

  constructor(stage: Stage, row: RowTitle, n: number, seed: number) {
    const { players, directory } = stage.installation;
    this.stage = stage;
    this.n = n;
    this.#row = row;
    this.player = players[n % players.length] as Player;
    // Neighbouring players belong to different merchants.
    this.neighbour = players[(n + directory.merchants.length) % players.length] as Player;
    this.random = new SeededRandom(seed, n);
  }

  /** An id of this run. */
  id(name: string): string {
    return `${this.#row.id}-${this.n}-${name}`;
  }

  /** The wire id of this run's id `name`, with this provider's code. */
  wire(provider: ProviderCode, name: string): TxId {
    return wireTxId(provider, this.id(name));
  }

  content(action: Action, name: string, ref: string | null = null, amountMinor = 250n): Content {
    return this.stage.installation.content(
      this.player,
      action,
      this.id(name),
      ref === null ? null : this.id(ref),
      amountMinor,
    );
  }

  /** Sets the wallet's behaviour for the calls of a transaction in their order. Later calls are answered correctly. */
  script(content: Content, ...behaviours: readonly Behaviour[]): Promise<void> {
    return this.stage.installation.wallet.script(new Map([[content.txId, behaviours]]));
  }

  anyReplica(): Replica {
    return this.random.pick(this.stage.replicas);
  }

  /** Sends one request. */
  async ask(
    content: TransactionRequest,
    on: Replica = this.anyReplica(),
    sessionId = this.player.sessionId,
    by: Provider = this.stage.installation.provider,
  ): Promise<Outcome> {
    const outcome = await by.request(content, sessionId, on, CALL_MS);
    this.stage.count(this.#row, words(outcome));
    return outcome;
  }

  /** Sends one Reverse of `content.refTxId`. */
  async reverse(content: TransactionRequest, on: Replica = this.anyReplica()): Promise<Outcome> {
    const outcome = await this.stage.installation.provider.reverse(content, this.player.sessionId, on, CALL_MS);
    this.stage.count(this.#row, outcome.kind === "uncalled" ? "marked" : words(outcome));
    return outcome;
  }

  /** Sends one Play. Returns the outcome of its bet, and that of its win. */
  async play(
    bet: TransactionRequest,
    win: TransactionRequest,
    on: Replica = this.anyReplica(),
  ): Promise<readonly [Outcome, Outcome]> {
    const outcomes = await this.stage.installation.provider.play(bet, win, this.player.sessionId, on, CALL_MS);
    this.stage.count(this.#row, outcomes.map(words).join(" and "));
    return outcomes;
  }

  /**
   * Places a slip once.
   *
   * @returns `success`, `failed`, `pending`, a refusal's code or `unknown`.
   */
  async place(slipId: string, bets: readonly Content[], on: Replica = this.anyReplica()): Promise<string> {
    const { sportsbook } = this.stage;
    const outcome = await sportsbook.place(slipId, sportsbook.guest.sessionOf(this.player), bets, on, CALL_MS);
    this.stage.count(this.#row, outcome);
    return outcome;
  }

  /**
   * Repeats the request until the answer is final, like a persistent provider. If there is no final answer, this is a
   * violation.
   */
  repeatUntilFinal(content: TransactionRequest, sessionId = this.player.sessionId, by?: Provider): Promise<Outcome> {
    return this.untilFinal(content, () => this.ask(content, this.anyReplica(), sessionId, by));
  }

  /** As {@link repeatUntilFinal}, for another request about this transaction. */
  async untilFinal(content: Content, send: () => Promise<Outcome>): Promise<Outcome> {
    const until = performance.now() + PATIENCE_MS;
    for (let tries = 0; ; tries++) {
      const outcome = await send();
      if (isFinal(outcome)) return outcome;
      if (performance.now() > until) {
        this.expect(
          false,
          content,
          `asked for ${PATIENCE_MS} ms and never got a final answer, last ${words(outcome)}`,
          "I6",
        );
        return outcome;
      }
      await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0);
    }
  }

  expect(holds: boolean, about: TxKey, what: string, invariant: Violation["invariant"] = "I4"): void {
    if (!holds) this.stage.violate({ invariant, key: keyText(about), what });
  }

  /** Counts a situation that the row tests. */
  note(situation: string): void {
    this.stage.note(this.#row, situation);
  }

  /** Registers a check that runs when every transaction has ended. */
  afterwards(check: (seen: Seen) => void): void {
    this.stage.afterwards(check);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
