import type { SlipState } from "../../domain/transaction/betslip.ts";
import type { LeaseToken } from "../../domain/transaction/transaction.ts";
import { type NewSlip, type Opened, type Slip, type SlipKey, SlipStore } from "../../ports/transactions/slip-store.ts";

type Stored = Omit<Slip, "readAt">;

const keyOf = ({ merchantId, slipId }: SlipKey): string => `${merchantId}/${slipId}`;

/** Slips of one process, for tests and simulation. */
export class MemorySlipStore extends SlipStore {
  readonly #slips = new Map<string, Stored>();
  /** The slip to which a bet's id belongs, by merchant and id. */
  readonly #takenBy = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    super();
    this.#now = now;
  }

  override async open(slip: NewSlip, token: LeaseToken, leaseMs: number): Promise<Opened> {
    const known = this.#slips.get(keyOf(slip));
    if (known !== undefined) return { is: known.leaseToken === token ? "new" : "known", slip: this.#asRead(known) };
    const ids = slip.bets.map(({ txId }) => `${slip.merchantId}/${txId}`);
    const position = ids.findIndex((id) => this.#takenBy.has(id));
    if (position !== -1) return { is: "taken", position };
    for (const id of ids) this.#takenBy.set(id, keyOf(slip));
    const stored: Stored = {
      ...slip,
      state: { status: "running" },
      leaseToken: token,
      dueAt: this.#now() + leaseMs,
      createdAt: this.#now(),
    };
    this.#slips.set(keyOf(slip), stored);
    return { is: "new", slip: this.#asRead(stored) };
  }

  /** Every slip, for tests. */
  all(): Slip[] {
    return [...this.#slips.values()].map((stored) => this.#asRead(stored));
  }

  /** Like {@link read}, but synchronous, for tests. */
  peek(key: SlipKey): Slip | undefined {
    const stored = this.#slips.get(keyOf(key));
    return stored && this.#asRead(stored);
  }

  override async read(key: SlipKey): Promise<Slip | undefined> {
    return this.peek(key);
  }

  override async ofBet(merchantId: number, txId: string): Promise<Slip | undefined> {
    const stored = this.#slips.get(this.#takenBy.get(`${merchantId}/${txId}`) ?? "");
    return stored && this.#asRead(stored);
  }

  override async take(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<Slip | undefined> {
    const stored = this.#slips.get(keyOf(key));
    if (stored === undefined || stored.dueAt === null || stored.dueAt > this.#now()) return undefined;
    const taken = { ...stored, leaseToken: token, dueAt: this.#now() + leaseMs };
    this.#slips.set(keyOf(key), taken);
    return this.#asRead(taken);
  }

  override async record(key: SlipKey, token: LeaseToken, state: SlipState, leaseMs: number | null): Promise<boolean> {
    const stored = this.#slips.get(keyOf(key));
    if (stored?.leaseToken !== token) return false;
    if (stored.dueAt === null) return leaseMs === null && stored.state.status === state.status;
    const over = leaseMs === null;
    const kept: SlipState = state.status === "failed" ? { ...state, refunding: !over } : state;
    this.#slips.set(keyOf(key), { ...stored, state: kept, dueAt: over ? null : this.#now() + leaseMs });
    return true;
  }

  override async due(limit: number): Promise<SlipKey[]> {
    const due = [...this.#slips.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= this.#now());
    return due
      .sort((a, b) => Number(a.dueAt) - Number(b.dueAt))
      .slice(0, limit)
      .map(({ merchantId, slipId }) => ({ merchantId, slipId }));
  }

  #asRead(stored: Stored): Slip {
    return { ...stored, readAt: this.#now() };
  }
}
