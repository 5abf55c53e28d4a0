import { join } from "node:path";
import type { LedgerRules } from "../../sandbox/merchant/ledger.ts";
import { Child } from "../programs/child.ts";
import type { Behaviour } from "./behaviour.ts";
import type { WalletMerchant, WalletMessage, WalletOrder } from "./wallet-process.ts";

/** The reference wallet's process. Tests never kill it, but they set its behaviour. */
export class ReferenceWallet {
  /** A URL for use as a walletUrl. */
  readonly url: string;
  /** See {@link LedgerLine}. */
  readonly ledgerFile: string;
  readonly #child: Child;
  #orders: Promise<unknown> = Promise.resolve();

  private constructor(child: Child, port: number, ledgerFile: string) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/wallet`;
    this.ledgerFile = ledgerFile;
  }

  /** @param folder - the folder for the ledger and the process's log. */
  static async start(folder: string): Promise<ReferenceWallet> {
    const ledgerFile = join(folder, "ledger.jsonl");
    const child = new Child(["testbed/wallet/wallet-process.ts", ledgerFile], {}, join(folder, "wallet.log"));
    const { port } = await child.next<WalletMessage & { kind: "ready" }>("ready");
    return new ReferenceWallet(child, port, ledgerFile);
  }

  /**
   * Opens the wallet of these merchants, with an empty ledger.
   *
   * @param rules - the differences from docs/specification/wallet-contract.md.
   */
  open(merchants: readonly WalletMerchant[], openingMinor: bigint, rules: Partial<LedgerRules> = {}): Promise<void> {
    return this.#order({ kind: "merchants", merchants, openingMinor, rules });
  }

  /**
   * Sets a list of behaviours for each wire tx_id. Call n of a tx_id gets behaviour n of its list. Further calls get
   * behaviours by {@link rates}.
   */
  script(behaviours: ReadonlyMap<string, readonly Behaviour[]>): Promise<void> {
    return this.#order({ kind: "script", behaviours });
  }

  /**
   * Calls without a script get one of these behaviours at random. A share is the probability of a behaviour, from 0 to
   * 1.
   */
  rates(rates: readonly (readonly [Behaviour, number])[], seed = 1): Promise<void> {
    return this.#order({ kind: "rates", rates, seed });
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  /** Sends one order at a time, because acknowledgements do not name their order. */
  #order(order: WalletOrder): Promise<void> {
    const done = this.#orders.then(() => {
      const acknowledged = this.#child.next<WalletMessage & { kind: "done" }>("done");
      this.#child.send(order);
      return acknowledged;
    });
    this.#orders = done;
    return done.then(() => {});
  }
}
