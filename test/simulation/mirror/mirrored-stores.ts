import { ChangeStore, type Unnumbered } from "../../../src/ports/transactions/change-store.ts";
import { RoundStore } from "../../../src/ports/transactions/round-store.ts";
import { SlipStore } from "../../../src/ports/transactions/slip-store.ts";
import {
  type Claimed,
  type ClaimLine,
  type LineResult,
  StoreFault,
  TransactionStore,
} from "../../../src/ports/transactions/transaction-store.ts";
import { TransactionSupport } from "../../../src/ports/transactions/transaction-support.ts";
import type { Mirror, Stores } from "./mirror.ts";

/** Runs each statement in memory and then on the mirror's database. The run gets the answer from memory. */
export function mirrored(memory: Stores, mirror: Mirror, now: () => number): Stores {
  const { transactions, changes, support, slips, rounds } = mirror.stores;
  const both: Both = async (what, run, ask, comparable = (answer) => answer) => {
    const ours = await run();
    await mirror.compare(what, now(), comparable(ours), async () => comparable(await ask()));
    return ours;
  };
  return {
    transactions: new MirroredTransactions(memory.transactions, transactions, both),
    changes: new MirroredChanges(memory.changes, changes, both),
    support: new MirroredSupport(memory.support, support, both),
    slips: new MirroredSlips(memory.slips, slips, both),
    rounds: new MirroredRounds(memory.rounds, rounds, both),
  };
}

/** @param comparable - the part of an answer that is compared. */
type Both = <T>(
  what: string,
  run: () => Promise<T>,
  ask: () => Promise<T>,
  comparable?: (answer: T) => unknown,
) => Promise<T>;

class MirroredRounds extends RoundStore {
  readonly #both: Both;
  readonly #memory: RoundStore;
  readonly #sql: RoundStore;

  constructor(memory: RoundStore, sql: RoundStore, both: Both) {
    super();
    this.#memory = memory;
    this.#sql = sql;
    this.#both = both;
  }

  override end: RoundStore["end"] = (lines) =>
    this.#both(
      "end rounds",
      () => this.#memory.end(lines),
      () => this.#sql.end(lines),
    );
  override read: RoundStore["read"] = (key) =>
    this.#both(
      "read round",
      () => this.#memory.read(key),
      () => this.#sql.read(key),
    );
  override list: RoundStore["list"] = (query, limit) => this.#memory.list(query, limit);
}

class MirroredTransactions extends TransactionStore {
  readonly #both: Both;
  readonly #memory: TransactionStore;
  readonly #sql: TransactionStore;

  constructor(memory: TransactionStore, sql: TransactionStore, both: Both) {
    super();
    this.#memory = memory;
    this.#sql = sql;
    this.#both = both;
  }

  override read: TransactionStore["read"] = (keys) =>
    this.#both(
      "read",
      () => this.#memory.read(keys),
      () => this.#sql.read(keys),
    );
  // The SQL inserts the elements of a batch in the order of their keys, whatever their order in the batch.
  override claim: TransactionStore["claim"] = (lines) =>
    byKey(lines, (sorted) =>
      this.#both(
        "claim",
        () => this.#memory.claim(sorted),
        () => this.#sql.claim(sorted),
        claims,
      ),
    );
  override claimPlay: TransactionStore["claimPlay"] = (lines) =>
    byKey(lines, (sorted) =>
      this.#both(
        "claimPlay",
        () => this.#memory.claimPlay(sorted),
        () => this.#sql.claimPlay(sorted),
        claims,
      ),
    );
  override wait: TransactionStore["wait"] = (lines) =>
    this.#both(
      "wait",
      () => this.#memory.wait(lines),
      () => this.#sql.wait(lines),
    );
  override settlePlay: TransactionStore["settlePlay"] = (lines) =>
    this.#both(
      "settlePlay",
      () => this.#memory.settlePlay(lines),
      () => this.#sql.settlePlay(lines),
    );
  override takeOver: TransactionStore["takeOver"] = (lines) =>
    this.#both(
      "takeOver",
      () => this.#memory.takeOver(lines),
      () => this.#sql.takeOver(lines),
    );
  override adopt: TransactionStore["adopt"] = (lines) =>
    this.#both(
      "adopt",
      () => this.#memory.adopt(lines),
      () => this.#sql.adopt(lines),
    );
  override seal: TransactionStore["seal"] = (lines) =>
    this.#both(
      "seal",
      () => this.#memory.seal(lines),
      () => this.#sql.seal(lines),
    );
  override settleBet: TransactionStore["settleBet"] = (lines) =>
    this.#both(
      "settleBet",
      () => this.#memory.settleBet(lines),
      () => this.#sql.settleBet(lines),
    );
  // If a batch has two copies of one mark, SQL reports that both won. No caller uses this answer, and the rows are
  // compared at the end.
  override mark: TransactionStore["mark"] = (lines) =>
    this.#both(
      "mark",
      () => this.#memory.mark(lines),
      () => this.#sql.mark(lines),
      () => "carried out",
    );
  override settle: TransactionStore["settle"] = (lines) =>
    this.#both(
      "settle",
      () => this.#memory.settle(lines),
      () => this.#sql.settle(lines),
    );
  override schedule: TransactionStore["schedule"] = (lines) =>
    this.#both(
      "schedule",
      () => this.#memory.schedule(lines),
      () => this.#sql.schedule(lines),
    );
  override merchantsDue: TransactionStore["merchantsDue"] = () =>
    this.#both(
      "merchantsDue",
      () => this.#memory.merchantsDue(),
      () => this.#sql.merchantsDue(),
      (ids) => [...ids].sort((a, b) => a - b),
    );
  // Rows that are due at the same moment have no defined order.
  override due: TransactionStore["due"] = (ids, limit) =>
    this.#both(
      "due",
      () => this.#memory.due(ids, limit),
      () => this.#sql.due(ids, limit),
      (keys) => keys.map(({ merchantId, txId }) => `${merchantId}/${txId}`).sort(),
    );
}

/**
 * The answer of a claim has a new row's times from the process's clock, which is real time. So these times are not
 * compared.
 */
const claims = (answers: LineResult<Claimed>[]): unknown =>
  answers.map((answer) => {
    if (answer instanceof StoreFault || !answer.mine) return answer;
    const { createdAt: _c, openedAt: _o, updatedAt: _u, readAt: _r, leaseUntil: _l, nextAt: _n, ...row } = answer.row;
    return { mine: true, row };
  });

async function byKey<Line extends ClaimLine>(
  lines: readonly Line[],
  claim: (sorted: readonly Line[]) => Promise<LineResult<Claimed>[]>,
): Promise<LineResult<Claimed>[]> {
  // A second statement inserts the lines that have to do with the end of a round.
  const isSecond = ({ content, unlessEnded }: ClaimLine) => Number(unlessEnded === true || content.roundEnded === true);
  const nameOf = (line: ClaimLine) => `${isSecond(line)} ${line.content.merchantId}/${line.content.txId}`;
  const sorted = [...lines].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const answers = await claim(sorted);
  return lines.map((line) => answers[sorted.indexOf(line)] as LineResult<Claimed>);
}

class MirroredChanges extends ChangeStore {
  override waiting: ChangeStore["waiting"];
  override unnumbered: ChangeStore["unnumbered"];
  override number: ChangeStore["number"];
  /** A row's id in the database by its id in memory. Only their order is the same. */
  readonly #ids = new Map<bigint, bigint>();

  constructor(memory: ChangeStore, sql: ChangeStore, both: Both) {
    super();
    const comparable = (found: readonly Unnumbered[]) =>
      found.map(({ merchantId, seq, rows }) => ({ merchantId, seq, rows: rows.map(({ id: _, ...row }) => row) }));
    this.waiting = (merchantIds) =>
      both(
        "waiting",
        () => memory.waiting(merchantIds),
        () => sql.waiting(merchantIds),
        (ids) => [...ids].sort(),
      );
    this.unnumbered = async (...args) => {
      const ids: bigint[][] = [];
      const noting = async (answered: Promise<Unnumbered[]>) => {
        const answer = (await answered).sort((a, b) => a.merchantId - b.merchantId);
        ids.push(answer.flatMap(({ rows }) => rows.map(({ id }) => id)));
        return answer;
      };
      const answer = await both(
        "unnumbered",
        () => noting(memory.unnumbered(...args)),
        () => noting(sql.unnumbered(...args)),
        comparable,
      );
      ids[0]?.forEach((id, i) => void this.#ids.set(id, ids[1]?.[i] ?? 0n));
      return answer;
    };
    this.number = (numberings) =>
      both(
        "number",
        () => memory.number(numberings),
        () =>
          sql.number(
            numberings.map(({ lines, ...numbering }) => ({
              ...numbering,
              lines: lines.map((line) => ({ ...line, id: this.#ids.get(line.id) ?? 0n })),
            })),
          ),
      );
  }
}

class MirroredSupport extends TransactionSupport {
  override resolve: TransactionSupport["resolve"];

  constructor(memory: TransactionSupport, sql: TransactionSupport, both: Both) {
    super();
    this.resolve = (line, audit) =>
      both(
        "resolve",
        () => memory.resolve(line, audit),
        () => sql.resolve(line, audit),
      );
  }
}

class MirroredSlips extends SlipStore {
  override open: SlipStore["open"];
  override read: SlipStore["read"];
  override ofBet: SlipStore["ofBet"];
  override take: SlipStore["take"];
  override renew: SlipStore["renew"];
  override decide: SlipStore["decide"];
  override finish: SlipStore["finish"];
  override due: SlipStore["due"];

  constructor(memory: SlipStore, sql: SlipStore, both: Both) {
    super();
    const mirrored =
      <Args extends unknown[], Out>(what: string, call: (store: SlipStore, ...args: Args) => Promise<Out>) =>
      (...args: Args) =>
        both(
          what,
          () => call(memory, ...args),
          () => call(sql, ...args),
        );
    this.open = mirrored("slip open", (store, ...args: Parameters<SlipStore["open"]>) => store.open(...args));
    this.read = mirrored("slip read", (store, ...args: Parameters<SlipStore["read"]>) => store.read(...args));
    this.ofBet = mirrored("slip of bet", (store, ...args: Parameters<SlipStore["ofBet"]>) => store.ofBet(...args));
    this.take = mirrored("slip take", (store, ...args: Parameters<SlipStore["take"]>) => store.take(...args));
    this.renew = mirrored("slip renew", (store, ...args: Parameters<SlipStore["renew"]>) => store.renew(...args));
    this.decide = mirrored("slip decide", (store, ...args: Parameters<SlipStore["decide"]>) => store.decide(...args));
    this.finish = mirrored("slip finish", (store, ...args: Parameters<SlipStore["finish"]>) => store.finish(...args));
    // Slips that became due at the same moment have no defined order.
    this.due = (limit) =>
      both(
        "slip due",
        () => memory.due(limit),
        () => sql.due(limit),
        (found) => found.map(({ merchantId, slipId }) => `${merchantId}/${slipId}`).sort(),
      );
  }
}
