/**
 * A player of a merchant, and the callbacks about the player. Every callback made here has a new id. Send the same
 * callback again to make a repeat.
 */
import type { Account, Callback, Fields } from "./callback.ts";

/** Ids that no pass has used before. */
export class Ids {
  /** The prefix of every id of this pass. */
  readonly run: string;
  #count = 0;

  constructor(
    run = `${Date.now().toString(36)}${Math.floor(Math.random() * 1_296)
      .toString(36)
      .padStart(2, "0")}`,
  ) {
    this.run = run;
  }

  next(): string {
    this.#count += 1;
    return `${this.run}-${this.#count}`;
  }
}

/** Fields with other values than usual. */
export type Unusual = Partial<Fields>;

export class Player {
  readonly account: Account;
  readonly id: string;
  readonly #ids: Ids;

  constructor(account: Account, id: string, ids: Ids) {
    this.account = account;
    this.id = id;
    this.#ids = ids;
  }

  /** A player of the same merchant by another id. */
  named(id: string): Player {
    return new Player(this.account, id, this.#ids);
  }

  query(unusual: Unusual = {}): Callback {
    const { account } = this;
    return {
      account,
      fields: {
        action: "balance",
        player_id: this.id,
        currency: account.currency,
        provider: "CERTIFY",
        game: "certify",
        ...unusual,
      },
    };
  }

  bet(amount: bigint, unusual: Unusual = {}): Callback {
    return this.#transaction("bet", amount, unusual);
  }

  win(amount: bigint, unusual: Unusual = {}): Callback {
    return this.#transaction("win", amount, unusual);
  }

  /** Refunds the whole bet, unless `unusual` has another amount. */
  refund(bet: Callback, unusual: Unusual = {}): Callback {
    return this.#reversal("refund", bet, unusual);
  }

  rollback(win: Callback, unusual: Unusual = {}): Callback {
    return this.#reversal("rollback", win, unusual);
  }

  /** A `tx_id` in the service's form: the provider's code, a colon, the provider's own id. */
  txId(own = this.#ids.next()): string {
    return `CERTIFY:${own}`;
  }

  #transaction(action: "bet" | "win" | "refund" | "rollback", amount: bigint, unusual: Unusual): Callback {
    const own = this.#ids.next();
    const query = this.query();
    return {
      ...query,
      fields: { ...query.fields, action, tx_id: this.txId(own), round_id: `round-${own}`, amount, ...unusual },
    };
  }

  #reversal(action: "refund" | "rollback", { fields }: Callback, unusual: Unusual): Callback {
    const { tx_id = "", round_id = "", amount = 0n } = fields;
    return this.#transaction(action, amount, { round_id, ref_tx_id: tx_id, ...unusual });
  }
}
