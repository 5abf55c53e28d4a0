import { keyText } from "../../../src/domain/values/identifiers.ts";
import type { RoundKey } from "../../../src/ports/transactions/round-store.ts";
import { describeOutcome } from "../../../testbed/judge/check-replies.ts";
import {
  type Operation,
  type RoundWrite,
  type RunRecord,
  type Violation,
  violation,
} from "../../../testbed/judge/record.ts";

/**
 * I16: no new bet gets into a round after its end, an end that was told has happened and stays, nothing else ends a
 * round, and an end refuses nothing but new bets.
 */
export function checkRounds(record: RunRecord): Violation[] {
  const ends = new Ends(record.roundWrites ?? []);
  return [
    ...ends.changed(),
    ...betsAfterEnds(record, ends),
    ...toldEnds(record, ends),
    ...causes(record, ends),
    ...refusals(record, ends),
  ];
}

const nameOf = ({ merchantId, providerId, roundId }: RoundKey): string => `${merchantId}/${providerId}/${roundId}`;
const roundOf = ({ content: { merchantId, game, roundId } }: Pick<Operation, "content">): string =>
  nameOf({ merchantId, providerId: game.providerId, roundId });

/** When the rounds ended. */
class Ends {
  readonly #writes: ReadonlyMap<string, readonly RoundWrite[]>;

  constructor(writes: readonly RoundWrite[]) {
    this.#writes = Map.groupBy(writes, nameOf);
  }

  /** The write that ended the round. */
  of(round: string): RoundWrite | undefined {
    return this.#writes.get(round)?.find(({ endedAt }) => endedAt !== null);
  }

  rounds(): Iterable<string> {
    return this.#writes.keys();
  }

  /** An end never changes. */
  changed(): Violation[] {
    return [...this.#writes].flatMap(([round, writes]) => {
      const first = this.of(round);
      const after = first === undefined ? [] : writes.slice(writes.indexOf(first));
      const other = after.find(({ endedAt }) => endedAt !== first?.endedAt);
      return other === undefined
        ? []
        : [violation("I16", round, `ended at ${first?.endedAt}, then at ${other.endedAt}`)];
    });
  }
}

/** A bet becomes a transaction only before its round's end, if every request for it came from a provider of ends. */
function betsAfterEnds({ writes, operations }: RunRecord, ends: Ends): Violation[] {
  const requests = Map.groupBy(operations, ({ content }) => keyText(content));
  return writes.flatMap(({ key, statement, before, after }) => {
    const isNew = (before?.status ?? "void") === "void" && after.status !== "void" && after.action === "bet";
    const asked = requests.get(key) ?? [];
    if (!isNew || asked.length === 0 || !asked.every(({ content }) => content.unlessEnded === true)) return [];
    const end = ends.of(roundOf({ content: after }));
    // The refund of an unknown bet makes its row, too.
    const isSent = after.attempts > 0 || after.leaseUntil !== null;
    return isSent && end !== undefined && end.statement < statement
      ? [violation("I16", key, `a bet after the end of its round by statement ${end.statement}`)]
      : [];
  });
}

/** Whoever is told of an end finds the round ended from then on. At the end of a healed run every success has ended its round. */
function toldEnds({ operations, ends: asked = [], rows, healed }: RunRecord, ends: Ends): Violation[] {
  const told = operations.flatMap((operation): Violation[] => {
    const { content, outcome, endedAt } = operation;
    if (content.roundEnded !== true || outcome.kind !== "ok" || outcome.status !== "success") return [];
    const end = ends.of(roundOf(operation));
    return end !== undefined && end.at <= (endedAt ?? 0)
      ? []
      : [violation("I16", keyText(content), "told of a success, but its round had not ended")];
  });
  const answered = asked.flatMap(({ key, endedAt }): Violation[] => {
    const end = ends.of(nameOf(key));
    return endedAt === null || (end !== undefined && end.at <= endedAt)
      ? []
      : [violation("I16", nameOf(key), "told that the round has ended, and it had not")];
  });
  const lost = [...(healed ? rows : [])].flatMap(([key, { transaction }]): Violation[] =>
    transaction.status === "success" &&
    transaction.roundEnded === true &&
    ends.of(roundOf({ content: transaction })) === undefined
      ? [violation("I16", key, "a success, and the end of its round was lost")]
      : [],
  );
  return [...told, ...answered, ...lost];
}

/** A round ends because of a success, an amount of 0 or an EndRound that came before. */
function causes({ operations, ends: asked = [], writes }: RunRecord, ends: Ends): Violation[] {
  const ending = operations.filter(({ content }) => content.roundEnded === true);
  const byRound = Map.groupBy(ending, roundOf);
  const successes = Map.groupBy(
    writes.filter(({ after }) => after.status === "success"),
    ({ key }) => key,
  );
  return [...ends.rounds()].flatMap((round) => {
    const end = ends.of(round);
    if (end === undefined) return [];
    const isCaused =
      asked.some(({ key, invokedAt }) => nameOf(key) === round && invokedAt <= end.at) ||
      (byRound.get(round) ?? []).some(
        ({ content, invokedAt }) =>
          (content.amountMinor === 0n && invokedAt <= end.at) ||
          (successes.get(keyText(content)) ?? []).some(({ at }) => at <= end.at),
      );
    return isCaused ? [] : [violation("I16", round, "ended, and nothing had ended it")];
  });
}

/** ROUND_ENDED is told only to a bet that was new, in a round that had ended. */
function refusals({ operations, writes }: RunRecord, ends: Ends): Violation[] {
  const rows = Map.groupBy(writes, ({ key }) => key);
  return operations.flatMap((operation) => {
    const { content, outcome, invokedAt, endedAt } = operation;
    if (outcome.kind !== "refused" || outcome.code !== "ROUND_ENDED") return [];
    const end = ends.of(roundOf(operation));
    const before = rows.get(keyText(content))?.findLast(({ at }) => at < invokedAt)?.after.status ?? "void";
    const isRight =
      content.action === "bet" &&
      before === "void" &&
      end !== undefined &&
      end.at <= (endedAt ?? Number.POSITIVE_INFINITY);
    return isRight ? [] : [violation("I16", keyText(content), `told ${describeOutcome(operation)}`)];
  });
}
