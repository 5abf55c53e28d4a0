import type { Transaction } from "../../src/domain/transaction/transaction.ts";
import { keyText, ownTxId, type TxKey } from "../../src/domain/values/identifiers.ts";
import {
  type AdoptLine,
  type Claimed,
  type ClaimLine,
  type LineResult,
  type MarkLine,
  type PlayClaimLine,
  type PlaySettleLine,
  type ScheduleLine,
  type SealLine,
  type SettleBetLine,
  type SettleLine,
  type TakeOverLine,
  TransactionStore,
} from "../../src/ports/transactions/transaction-store.ts";
import type { Failpoints } from "./failpoints.ts";
import { whenSent } from "./sent-statements.ts";

/** Adds the crash points CP2, CP8, CP11, CP12 and CP14 to a store. */
export class FailpointTransactionStore extends TransactionStore {
  readonly #real: TransactionStore;
  readonly #failpoints: Failpoints;
  readonly #resends: Set<string>;

  /**
   * @param resends - keys of the transactions that the resend worker has found and that have not been settled since.
   *   This class maintains it.
   */
  constructor(real: TransactionStore, failpoints: Failpoints, resends: Set<string>) {
    super();
    this.#real = real;
    this.#failpoints = failpoints;
    this.#resends = resends;
  }

  override read(keys: readonly TxKey[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#real.read(keys);
  }

  override claim(lines: readonly ClaimLine[]): Promise<LineResult<Claimed>[]> {
    return this.#claiming(lines, () => this.#real.claim(lines));
  }

  override claimPlay(lines: readonly PlayClaimLine[]): Promise<LineResult<Claimed>[]> {
    return this.#claiming(lines, () => this.#real.claimPlay(lines));
  }

  async #claiming(
    lines: readonly ClaimLine[],
    claim: () => Promise<LineResult<Claimed>[]>,
  ): Promise<LineResult<Claimed>[]> {
    await this.#failpoints.gather("CP2");
    return whenSent((tokens) => {
      const sent = lines.filter(({ token }) => tokens.has(token));
      this.#failpoints.strike(
        "CP2",
        sent.map(({ content }) => ownTxId(content.txId)),
      );
    }, claim);
  }

  override async takeOver(lines: readonly TakeOverLine[]): Promise<LineResult<Transaction | undefined>[]> {
    const taken = await this.#real.takeOver(lines);
    const resent = lines.filter(({ key }, i) => taken[i] !== undefined && this.#resends.has(keyText(key)));
    if (resent.length > 0) await this.#failpoints.reach("CP12", resent.map(ownId));
    return taken;
  }

  override async adopt(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    const settling = lines.some(({ content }) => content.bet?.settles === true);
    if (settling) await this.#failpoints.gather("CP14");
    const adopted = await this.#real.adopt(lines);
    const won = lines.filter(({ content }, i) => content.bet?.settles === true && adopted[i] !== undefined);
    if (won.length > 0)
      this.#failpoints.strike(
        "CP14",
        won.map(({ content }) => ownTxId(content.txId)),
      );
    return adopted;
  }

  override wait(lines: readonly AdoptLine[]): Promise<LineResult<Transaction | undefined>[]> {
    return this.#real.wait(lines);
  }

  override async seal(lines: readonly SealLine[]): Promise<LineResult<boolean>[]> {
    const sealed = await this.#real.seal(lines);
    const won = lines.filter((_, i) => sealed[i] === true);
    if (won.length > 0) this.#failpoints.strike("CP14", won.map(ownId));
    return sealed;
  }

  override async settleBet(lines: readonly SettleBetLine[]): Promise<LineResult<boolean>[]> {
    const settled = await this.#real.settleBet(lines);
    const won = lines.filter((_, i) => settled[i] === true);
    if (won.length > 0)
      this.#failpoints.strike(
        "CP14",
        won.map(({ win }) => ownTxId(win.txId)),
      );
    return settled;
  }

  override async mark(lines: readonly MarkLine[]): Promise<LineResult<boolean>[]> {
    await this.#failpoints.gather("CP14");
    const marked = await this.#real.mark(lines);
    const won = lines.filter((_, i) => marked[i] === true);
    if (won.length > 0) this.#failpoints.strike("CP14", won.map(ownId));
    return marked;
  }

  override settle(lines: readonly SettleLine[]): Promise<LineResult<boolean>[]> {
    return this.#settling(lines, () => this.#real.settle(lines));
  }

  /** Between the settle of a Play's bet and the call of its win is CP14. */
  override async settlePlay(lines: readonly PlaySettleLine[]): Promise<LineResult<boolean>[]> {
    const settled = await this.#settling(lines, () => this.#real.settlePlay(lines));
    const won = lines.filter((_, i) => settled[i] === true);
    if (won.length > 0) this.#failpoints.strike("CP14", won.map(ownId));
    return settled;
  }

  async #settling(
    lines: readonly SettleLine[],
    settle: () => Promise<LineResult<boolean>[]>,
  ): Promise<LineResult<boolean>[]> {
    await this.#failpoints.gather("CP8");
    const settled = await whenSent(
      (tokens) => this.#failpoints.strike("CP8", lines.filter(({ token }) => tokens.has(token)).map(ownId)),
      settle,
    );
    for (const { key } of lines) this.#resends.delete(keyText(key));
    return settled;
  }

  override schedule(lines: readonly ScheduleLine[]): Promise<LineResult<boolean>[]> {
    return this.#real.schedule(lines);
  }

  override merchantsDue(): Promise<number[]> {
    return this.#real.merchantsDue();
  }

  override async due(merchantIds: readonly number[], limit: number): Promise<TxKey[]> {
    const keys = await this.#real.due(merchantIds, limit);
    for (const key of keys) this.#resends.add(keyText(key));
    if (keys.length > 0)
      await this.#failpoints.reach(
        "CP11",
        keys.map(({ txId }) => ownTxId(txId)),
      );
    return keys;
  }
}

const ownId = ({ key }: { readonly key: TxKey }): string => ownTxId(key.txId);
