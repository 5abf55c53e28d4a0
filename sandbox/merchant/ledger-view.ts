import { type Currency, type Ledger, toDecimal } from "./ledger.ts";
import { playersOf } from "./players.ts";
import type { Callback } from "./wallet.ts";

/** A transaction that the wallet applied. Amounts and balances are in the major unit. */
export interface ShownTransaction {
  /** The transaction's place among those of all merchants, from 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: "bet" | "win" | "refund" | "rollback";
  readonly player: string;
  /** The change of the balance: negative for bets and rollbacks. */
  readonly amount: number;
  readonly tx_id: string;
  readonly round_id: string;
  readonly ref_tx_id: string | null;
  readonly kind?: string | undefined;
  readonly promo_id?: string | undefined;
  readonly round_ended?: boolean | undefined;
}

/** What the page shows of a callback beside its effect on the ledger. */
type Told = Pick<ShownTransaction, "at" | "kind" | "promo_id" | "round_ended">;

/** The ledger of one merchant. */
export interface ShownLedger {
  readonly merchant: string;
  readonly currency: Currency;
  readonly players: readonly {
    readonly id: string;
    readonly name: string;
    readonly balance: number;
    readonly blocked: boolean;
  }[];
  /** The last {@link SHOWN_MAX} transactions, newest first. */
  readonly transactions: readonly ShownTransaction[];
  /** The number of all transactions. */
  readonly transaction_count: number;
}

const SHOWN_MAX = 25;

/** The ledger as the wallet's page shows it. The ledger has no clock and no labels, so both are noted here. */
export class LedgerView {
  readonly #ledger: Ledger;
  readonly #merchants: readonly { readonly code: string; readonly currency: Currency }[];
  readonly #told: Told[] = [];

  constructor(ledger: Ledger, merchants: readonly { readonly code: string; readonly currency: Currency }[]) {
    this.#ledger = ledger;
    this.#merchants = merchants;
  }

  /** Notes the callback of the ledger's newest transaction. Call it for each callback, before the next callback. */
  note({ at, body }: Pick<Callback, "at" | "body">): void {
    if (this.#told.length === this.#ledger.effects.length) return;
    const { kind, promo_id, round_ended } = JSON.parse(body) as Omit<Told, "at">;
    while (this.#told.length < this.#ledger.effects.length) this.#told.push({ at, kind, promo_id, round_ended });
  }

  show(): ShownLedger[] {
    return this.#merchants.map(({ code, currency }) => {
      const major = (minor: bigint): number => Number(toDecimal(minor, currency));
      const applied = this.#ledger.effects.flatMap((effect, i) => (effect.merchant === code ? [{ ...effect, i }] : []));
      return {
        merchant: code,
        currency,
        players: playersOf(currency).map(({ id, name, blocked }) => ({
          id,
          name,
          balance: major(this.#ledger.balanceMinor(code, id)),
          blocked,
        })),
        transactions: applied
          .slice(-SHOWN_MAX)
          .reverse()
          .map(({ i, action, player, deltaMinor, txId, roundId, refTxId }) => ({
            number: i + 1,
            at: 0,
            ...this.#told[i],
            action,
            player,
            amount: major(deltaMinor),
            tx_id: txId,
            round_id: roundId,
            ref_tx_id: refTxId,
          })),
        transaction_count: applied.length,
      };
    });
  }
}
