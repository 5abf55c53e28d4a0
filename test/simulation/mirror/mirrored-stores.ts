import { type Call, eachCall } from "../../../src/adapters/telemetry/each-call.ts";
import type { TxKey } from "../../../src/domain/values/identifiers.ts";
import type { ChangeStore, Unnumbered } from "../../../src/ports/transactions/change-store.ts";
import type { Slip } from "../../../src/ports/transactions/slip-store.ts";
import {
  type Claimed,
  type ClaimLine,
  type LineResult,
  StoreFault,
  type TransactionStore,
} from "../../../src/ports/transactions/transaction-store.ts";
import type { Mirror, Stores } from "./mirror.ts";

/** The part of an answer that is compared. */
type Comparable = (answer: never) => unknown;

/**
 * The parts that are compared, by the name of the statement; the whole answer if it has no entry. Rows that are due at
 * the same moment have no defined order. If a batch has two copies of one mark, SQL reports that both won. No caller
 * uses this answer, and the rows are compared at the end.
 */
const COMPARABLE: Readonly<Record<string, Comparable>> = {
  mark: () => "carried out",
  merchantsDue: (ids: readonly number[]) => ids.toSorted((a, b) => a - b),
  due: (found: readonly (TxKey | Slip)[]) =>
    found.map((one) => `${one.merchantId}/${"txId" in one ? one.txId : one.slipId}`).sort(),
  waiting: (ids: readonly number[]) => ids.toSorted((a, b) => a - b),
  claim: claims,
  claimPlay: claims,
};

/** Runs each statement in memory and then on the mirror's database. The run gets the answer from memory. */
export function mirrored(memory: Stores, mirror: Mirror, now: () => number): Stores {
  const both = async (
    what: string,
    run: () => Promise<unknown>,
    ask: () => Promise<unknown>,
    comparable: Comparable = COMPARABLE[what] ?? ((answer) => answer),
  ): Promise<unknown> => {
    const ours = await run();
    await mirror.compare(what, now(), comparable(ours as never), async () => comparable((await ask()) as never));
    return ours;
  };
  const each = <S extends object>(ours: S, theirs: S): S =>
    eachCall(ours, ({ method, args, run }) => both(method, run, () => callOf(theirs, method, args)));
  return {
    transactions: mirroredTransactions(memory.transactions, mirror.stores.transactions, both),
    changes: mirroredChanges(memory.changes, mirror.stores.changes, both),
    support: each(memory.support, mirror.stores.support),
    slips: each(memory.slips, mirror.stores.slips),
    rounds: each(memory.rounds, mirror.stores.rounds),
  };
}

type Both = (
  what: string,
  run: () => Promise<unknown>,
  ask: () => Promise<unknown>,
  comparable?: Comparable,
) => Promise<unknown>;

const callOf = (store: object, method: string, args: readonly unknown[]): Promise<unknown> =>
  Reflect.apply(Reflect.get(store, method), store, args);

/** The SQL inserts the elements of a batch in the order of their keys, whatever their order in the batch. */
const mirroredTransactions = (memory: TransactionStore, sql: TransactionStore, both: Both): TransactionStore =>
  eachCall(memory, ({ method, args, run }) => {
    const inBoth = (given: readonly unknown[]) =>
      both(
        method,
        () => run(given),
        () => callOf(sql, method, given),
      );
    if (method !== "claim" && method !== "claimPlay") return inBoth(args);
    return byKey(args[0] as readonly ClaimLine[], (sorted) => inBoth([sorted]) as Promise<LineResult<Claimed>[]>);
  });

/**
 * The answer of a claim has a new row's times from the process's clock, which is real time. So these times are not
 * compared.
 */
function claims(answers: readonly LineResult<Claimed>[]): unknown {
  return answers.map((answer) => {
    if (answer instanceof StoreFault || !answer.mine) return answer;
    const { createdAt: _c, openedAt: _o, updatedAt: _u, readAt: _r, leaseUntil: _l, nextAt: _n, ...row } = answer.row;
    return { mine: true, row };
  });
}

async function byKey(
  lines: readonly ClaimLine[],
  claim: (sorted: readonly ClaimLine[]) => Promise<LineResult<Claimed>[]>,
): Promise<LineResult<Claimed>[]> {
  // A second statement inserts the lines that have to do with the end of a round.
  const isSecond = ({ content, unlessEnded }: ClaimLine) => Number(unlessEnded === true || content.roundEnded === true);
  const nameOf = (line: ClaimLine) => `${isSecond(line)} ${line.content.merchantId}/${line.content.txId}`;
  const sorted = [...lines].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const answers = await claim(sorted);
  return lines.map((line) => answers[sorted.indexOf(line)] as LineResult<Claimed>);
}

function mirroredChanges(memory: ChangeStore, sql: ChangeStore, both: Both): ChangeStore {
  /** A row's id in the database by its id in memory. Only their order is the same. */
  const idsThere = new Map<bigint, bigint>();
  const withoutIds = (found: readonly Unnumbered[]) =>
    found.map(({ merchantId, seq, rows }) => ({ merchantId, seq, rows: rows.map(({ id: _, ...row }) => row) }));

  const unnumbered = async ({ args, run }: Call): Promise<unknown> => {
    const ids: bigint[][] = [];
    const noting = async (answered: Promise<unknown>) => {
      const answer = ((await answered) as Unnumbered[]).sort((a, b) => a.merchantId - b.merchantId);
      ids.push(answer.flatMap(({ rows }) => rows.map(({ id }) => id)));
      return answer;
    };
    const answer = await both(
      "unnumbered",
      () => noting(run()),
      () => noting(callOf(sql, "unnumbered", args)),
      withoutIds,
    );
    ids[0]?.forEach((id, i) => void idsThere.set(id, ids[1]?.[i] ?? 0n));
    return answer;
  };
  const there = (numberings: Parameters<ChangeStore["number"]>[0]) =>
    numberings.map(({ lines, ...numbering }) => ({
      ...numbering,
      lines: lines.map((line) => ({ ...line, id: idsThere.get(line.id) ?? 0n })),
    }));
  return eachCall(memory, (call) => {
    const { method, args, run } = call;
    if (method === "unnumbered") return unnumbered(call);
    const given = method === "number" ? [there(args[0] as Parameters<ChangeStore["number"]>[0])] : args;
    return both(method, run, () => callOf(sql, method, given));
  });
}
