import { isSealed, NEVER, type Transaction } from "../../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../../domain/values/identifiers.ts";
import {
  type AdoptLine,
  type Claimed,
  type ClaimLine,
  claimedPlay,
  claimedRow,
  type LineResult,
  type MarkLine,
  type PlayClaimLine,
  type PlaySettleLine,
  RoundOver,
  type ScheduleLine,
  type SealLine,
  type SettleBetLine,
  type SettleLine,
  type TakeOverLine,
  TransactionStore,
} from "../../../ports/transactions/transaction-store.ts";
import type { Database } from "../connection/database.ts";
import { DatabaseTime } from "../connection/database-time.ts";
import { decisiveRows, rows, type Written, write } from "../connection/execute.ts";
import { failureOf } from "../connection/failure.ts";
import { halving } from "../connection/halving.ts";
import type { Statement } from "../connection/statement.ts";
import { GameRefs } from "./game-refs.ts";
import { isPlainPlay } from "./line-columns.ts";
import { type Batch, LockedRows } from "./locked-rows.ts";
import { apart, inOrder, waves } from "./order.ts";
import { readRound } from "./round-store.ts";
import { toTransaction } from "./rows.ts";
import type { ReversalSettleLine, TransactionStatements } from "./transaction-statements.ts";

/**
 * The rows of `tx`. Each step is one statement for a batch of lines. The number of changed rows shows whether all lines
 * were applied. If not, the rows are read, and their tokens show which lines were applied.
 */
export class SqlTransactionStore extends TransactionStore {
  readonly #database: Database;
  readonly #statements: TransactionStatements;
  readonly #games: GameRefs;
  readonly #time: DatabaseTime;
  readonly #locked: LockedRows;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#statements = database.dialect.transactions;
    this.#games = new GameRefs(database);
    this.#time = new DatabaseTime(database);
    this.#locked = new LockedRows(database);
  }

  override async read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]> {
    const found = await this.#rowsOf(keys);
    return keys.map((key) => found.get(keyText(key)));
  }

  override claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]> {
    const { claim, claimInRound, claimIfOpen } = this.#statements;
    return apart(
      lines,
      (line) => line.unlessEnded !== true && line.content.roundEnded === undefined,
      (plain) => this.#claimWith(plain, claim, claimedRow),
      (inRound) => this.#claimWith(inRound, claimInRound, claimedRow, claimIfOpen),
    );
  }

  override claimPlay(lines: readonly PlayClaimLine[]): Promise<LineResult<Claimed>[]> {
    const { claimPlay, claimPlayIfOpen } = this.#statements;
    return this.#claimWith(lines, claimPlay, claimedPlay, isPlainPlay(lines) ? undefined : claimPlayIfOpen);
  }

  /**
   * @param rowOf - the row that a line inserts.
   * @param usual - a cheaper statement, which is tried first. It fails if it does not fit these lines.
   */
  #claimWith<Line extends ClaimLine>(
    lines: readonly Line[],
    statement: (lines: readonly Line[]) => Statement,
    rowOf: (line: Line, now: number) => Transaction,
    usual?: (lines: readonly Line[]) => Statement,
  ): Promise<LineResult<Claimed>[]> {
    const isApplied = async (batch: readonly Line[]): Promise<boolean> => {
      if (usual !== undefined)
        try {
          return await this.#applied(usual(batch), batch.length);
        } catch (cause) {
          if (failureOf(this.#database.dialect, cause) !== "content") throw cause;
        }
      return this.#applied(statement(batch), batch.length);
    };
    const claim = async (batch: readonly Line[]): Promise<LineResult<Claimed>[]> => {
      // The row's times are database times, as exactly as this process knows them.
      const now = await this.#time.now();
      if (await isApplied(batch)) return batch.map((line) => ({ mine: true, row: rowOf(line, now) }));
      return this.#claimed(batch);
    };
    return inOrder(
      lines,
      (line) => line.content,
      (sorted) =>
        this.#batch(
          sorted,
          (line) => [line.content],
          (batch) => claim(batch),
          (batch) => this.#claimed(batch),
        ),
    );
  }

  /** The rows of claims that exist. This needs no lock. A bet without a row came after the end of its round. */
  async #claimed(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]> {
    const found = await this.#rowsOf(lines.map((line) => line.content));
    return lines.map(({ content, token, unlessEnded }) => {
      const row = found.get(keyText(content));
      if (row === undefined && unlessEnded === true) return new RoundOver(`the round of ${keyText(content)} has ended`);
      if (row === undefined) throw new Error(`a claimed row was not found: ${keyText(content)}`);
      return { mine: row.leaseToken === token, row };
    });
  }

  override takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#mine(lines, byKey, this.#statements.takeOver);
  }

  override adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return apart(
      lines,
      (line) => line.content.bet === undefined,
      (others) =>
        apart(
          others,
          (line) => line.playWin === undefined,
          (plain) => this.#adoptBets(plain, this.#statements.adopt),
          (plays) => this.#adoptBets(plays, this.#statements.adoptPlay),
        ),
      (wins) =>
        waves(wins, betKey, (wave) =>
          // The batch is in the order of the bets, because reversals wait for these rows.
          inOrder(wave, betKey, (sorted) =>
            this.#mineSorted(sorted, (line) => line.content, this.#statements.adoptForBet, betKey),
          ),
        ),
    );
  }

  /** Adopts rows that name no bet. */
  async #adoptBets(
    lines: readonly AdoptLine[],
    statement: (lines: readonly AdoptLine[]) => Statement,
  ): Promise<LineResult<Transaction | undefined>[]> {
    const adopted = await this.#mine(lines, (line) => line.content, statement);
    return Promise.all(adopted.map((row, i) => row ?? this.#roundOver(lines[i] as AdoptLine)));
  }

  /** Why a line was not adopted. `undefined`: its row has changed since it was read. */
  async #roundOver({ content, seen, unlessEnded }: AdoptLine): Promise<RoundOver | undefined> {
    if (unlessEnded !== true) return undefined;
    const { merchantId, roundId, game } = content;
    const round = await readRound(this.#database, { merchantId, providerId: game.providerId, roundId });
    const row = (await this.#rowsOf([content])).get(keyText(content));
    const isOver = (round?.endedAt ?? null) !== null && row?.status === "void" && row.leaseToken === seen;
    return isOver ? new RoundOver(`the round of ${keyText(content)} has ended`) : undefined;
  }

  override wait(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#mine(lines, (line) => line.content, this.#statements.wait);
  }

  override seal(lines: readonly SealLine[]): Promise<LineResult<boolean>[]> {
    return inOrder(lines, byKey, (sorted) =>
      this.#batch(
        sorted,
        (line) => [line.key],
        (batch) => this.#seal(batch),
      ),
    );
  }

  async #seal(lines: readonly SealLine[]): Promise<boolean[]> {
    if (await this.#applied(this.#statements.seal(lines), lines.length)) return lines.map(() => true);
    const found = await this.#rowsOf(lines.map(byKey));
    return lines.map(({ key, by }) => {
      const row = found.get(keyText(key));
      return row !== undefined && isSealed(row) && row.reversedBy === by;
    });
  }

  override settleBet(lines: readonly SettleBetLine[]): Promise<LineResult<boolean>[]> {
    return inOrder(lines, byKey, (sorted) =>
      this.#batch(
        sorted,
        (line) => [line.key],
        (batch) => this.#settleBet(batch),
      ),
    );
  }

  async #settleBet(lines: readonly SettleBetLine[]): Promise<boolean[]> {
    if (await this.#applied(this.#statements.settleBet(lines), lines.length)) return lines.map(() => true);
    const found = await this.#rowsOf(lines.map(byKey));
    return lines.map(({ key, win }) => found.get(keyText(key))?.settledBy === win.txId);
  }

  /** The rows that now have the token of their line. */
  #mine<Line extends { readonly token: string }>(
    lines: readonly Line[],
    keyOf: (line: Line) => TxKey,
    statement: (lines: readonly Line[]) => Statement,
  ): Promise<LineResult<Transaction | undefined>[]> {
    return inOrder(lines, keyOf, (sorted) => this.#mineSorted(sorted, keyOf, statement));
  }

  /** @param other - the other row that a line changes. */
  #mineSorted<Line extends { readonly token: string }>(
    sorted: readonly Line[],
    keyOf: (line: Line) => TxKey,
    statement: (lines: readonly Line[]) => Statement,
    other?: (line: Line) => TxKey,
  ): Promise<LineResult<Transaction | undefined>[]> {
    return this.#batch(
      sorted,
      (line) => (other === undefined ? [keyOf(line)] : [keyOf(line), other(line)]),
      async (batch, again) => {
        const { affected, certain } = await this.#write(statement(batch));
        if (affected === 0 && certain && !again) return batch.map(() => undefined);
        const found = await this.#rowsOf(batch.map(keyOf));
        return batch.map((line) => {
          const row = found.get(keyText(keyOf(line)));
          return row?.leaseToken === line.token ? row : undefined;
        });
      },
    );
  }

  override mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]> {
    return waves(lines, reversedKey, (wave) =>
      // The batch is in the order of the reversed rows, because other statements wait for these rows. No statement
      // waits for the row of a void reversal.
      inOrder(wave, reversedKey, (sorted) =>
        this.#batch(
          sorted,
          (line) => [line.key, reversedKey(line)],
          (batch) => this.#mark(batch),
        ),
      ),
    );
  }

  async #mark(lines: readonly MarkLine[]): Promise<boolean[]> {
    if (await this.#applied(this.#statements.mark(lines), 2 * lines.length)) return lines.map(() => true);
    const found = await this.#rowsOf(lines.flatMap((line) => [line.key, reversedKey(line)]));
    // If a copy of this request marks at the same moment, it gets true as well. The take-over that follows succeeds for
    // only one of them.
    return lines.map((line) => {
      const row = found.get(keyText(line.key));
      const reversed = found.get(keyText(reversedKey(line)));
      return (
        row?.status === "pending" &&
        row.leaseToken === line.seen &&
        row.attempts === 0 &&
        reversed?.reversedBy === line.key.txId
      );
    });
  }

  override settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]> {
    // A run never contains both the settle of an original and the settle of its reversal.
    return waves(lines, settledOriginal, (wave) =>
      inOrder(wave, settledOriginal, (sorted) =>
        apart(
          sorted,
          (line) => line.reversed === undefined,
          (own) =>
            this.#batch(
              own,
              (line) => [line.key],
              (batch) => this.#settle(batch, this.#statements.settle(batch), batch.length),
            ),
          (reversals) =>
            this.#batch(
              reversals as readonly ReversalSettleLine[],
              (line) => [line.key, settledOriginal(line)],
              (batch) => this.#settle(batch, this.#statements.settleReversal(batch), rowsOfReversals(batch)),
            ),
        ),
      ),
    );
  }

  async #settle(lines: readonly SettleLine[], statement: Statement, rowsChanged: number): Promise<boolean[]> {
    if (await this.#applied(statement, rowsChanged)) return lines.map(() => true);
    const found = await this.#rowsOf(lines.map(byKey));
    return lines.map(({ key, token, attempt }) => {
      const row = found.get(keyText(key));
      return row !== undefined && row.leaseToken === token && row.leaseUntil === null && row.attempts >= attempt.n;
    });
  }

  override settlePlay(lines: readonly PlaySettleLine[]): Promise<LineResult<boolean>[]> {
    return inOrder(lines, byKey, (sorted) =>
      this.#batch(
        sorted,
        (line) => [line.key, winKey(line)],
        (batch) => this.#settlePlay(batch),
      ),
    );
  }

  async #settlePlay(lines: readonly PlaySettleLine[]): Promise<boolean[]> {
    for (const statement of [this.#statements.settlePlays, this.#statements.settlePlay])
      if (statement !== undefined && (await this.#applied(statement(lines), 2 * lines.length)))
        return lines.map(() => true);
    const found = await this.#rowsOf(lines.flatMap((line) => [line.key, winKey(line)]));
    return lines.map((line) => {
      const [bet, win] = [found.get(keyText(line.key)), found.get(keyText(winKey(line)))];
      return bet?.status === "success" && bet.leaseToken === line.token && win?.leaseToken === line.win.token;
    });
  }

  override schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]> {
    return inOrder(lines, byKey, (sorted) =>
      this.#batch(
        sorted,
        (line) => [line.key],
        (batch) => this.#schedule(batch),
      ),
    );
  }

  async #schedule(lines: readonly ScheduleLine[]): Promise<boolean[]> {
    if (await this.#applied(this.#statements.schedule(lines), lines.length)) return lines.map(() => true);
    const found = await this.#rowsOf(lines.map(byKey));
    return lines.map(({ key, seen }) => {
      const row = found.get(keyText(key));
      return (
        row?.status === "pending" &&
        row.leaseToken === seen.leaseToken &&
        row.reversedBy === seen.reversedBy &&
        row.nextAt !== null &&
        row.nextAt !== NEVER &&
        (row.leaseUntil ?? 0) <= row.readAt
      );
    });
  }

  override async merchantsDue(): Promise<number[]> {
    const found = await rows(this.#database, this.#statements.merchantsDue);
    return found.map((row) => Number(row.merchant_id));
  }

  override async due(merchantIds: readonly number[], limit: number): Promise<TxKey[]> {
    if (merchantIds.length === 0) return [];
    const found = await rows(this.#database, this.#statements.due(merchantIds, limit));
    return found.map((row) => ({ merchantId: Number(row.merchant_id), txId: row.tx_id as TxKey["txId"] }));
  }

  /** Runs a batch, and keeps lines that the database can't apply from failing the other lines. */
  #batch<Line, Out>(
    lines: readonly Line[],
    keysOf: Batch<Line, Out>["keysOf"],
    run: (lines: readonly Line[], again: boolean) => Promise<LineResult<Out>[]>,
    existing?: Batch<Line, Out>["existing"],
  ): Promise<LineResult<Out>[]> {
    const { dialect } = this.#database;
    return this.#locked.run(lines, {
      keysOf,
      run: (some, again) => halving(dialect, some, (batch) => run(batch, again)),
      ...(existing && { existing }),
    });
  }

  #write(statement: Statement): Promise<Written> {
    return write(this.#database, statement, this.#locked.patienceMs);
  }

  /** Whether every line was applied. `false`: this is unknown, so the rows must be read. */
  async #applied(statement: Statement, rowsChanged: number): Promise<boolean> {
    const { affected, certain } = await this.#write(statement);
    return certain && affected === rowsChanged;
  }

  async #rowsOf(keys: readonly TxKey[]): Promise<Map<string, Transaction>> {
    const sentAt = performance.now();
    const found = await decisiveRows(this.#database, this.#statements.read(keys));
    if (found.length === 0) return new Map();
    this.#time.observe(Number(found[0]?.read_at), sentAt);
    await this.#games.load(found.map((row) => Number(row.game_id)));
    const transactions = found.map((row) => toTransaction(row, this.#games));
    return new Map(transactions.map((transaction) => [keyText(transaction), transaction]));
  }
}

const byKey = (line: { readonly key: TxKey }): TxKey => line.key;
const reversedKey = (line: MarkLine): TxKey => ({ merchantId: line.key.merchantId, txId: line.reversed });
const betKey = ({ content: { merchantId, txId, bet } }: AdoptLine): TxKey => ({
  merchantId,
  txId: bet?.txId ?? txId,
});
const settledOriginal = (line: SettleLine): TxKey =>
  line.reversed === undefined ? line.key : { merchantId: line.key.merchantId, txId: line.reversed.txId };
const winKey = ({ key: { merchantId }, win: { txId } }: PlaySettleLine): TxKey => ({ merchantId, txId });
const rowsOfReversals = (lines: readonly ReversalSettleLine[]): number =>
  lines.reduce((count, line) => count + (line.reversed.change === null ? 1 : 2), 0);
