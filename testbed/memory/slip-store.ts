import { isOver, isSameVerdict, type Verdict } from "../../src/domain/transaction/betslip.ts";
import type { LeaseToken } from "../../src/domain/transaction/transaction.ts";
import {
  type LeasedSlip,
  type NewSlip,
  type Opened,
  type Slip,
  type SlipKey,
  SlipStore,
} from "../../src/ports/transactions/slip-store.ts";

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

  override async take(seen: LeasedSlip, token: LeaseToken, leaseMs: number): Promise<Slip | undefined> {
    const stored = this.#slips.get(keyOf(seen));
    // The slip already has this token: the caller did not get the first answer and has sent the statement again.
    if (stored?.leaseToken === token) return this.#asRead(stored);
    if (stored?.leaseToken !== seen.leaseToken || stored.dueAt === null || stored.dueAt > this.#now()) return undefined;
    const taken = { ...stored, leaseToken: token, dueAt: this.#now() + leaseMs };
    this.#slips.set(keyOf(seen), taken);
    return this.#asRead(taken);
  }

  override async renew(key: SlipKey, token: LeaseToken, leaseMs: number): Promise<boolean> {
    const stored = this.#slips.get(keyOf(key));
    if (stored?.leaseToken !== token || stored.state.status !== "running") return false;
    this.#slips.set(keyOf(key), { ...stored, dueAt: this.#now() + leaseMs });
    return true;
  }

  override async decide(key: SlipKey, token: LeaseToken, verdict: Verdict, leaseMs: number): Promise<boolean> {
    const stored = this.#slips.get(keyOf(key));
    if (stored?.leaseToken !== token) return false;
    if (stored.state.status !== "running") return isSameVerdict(stored.state, verdict);
    const dueAt = isOver(verdict) ? null : this.#now() + leaseMs;
    this.#slips.set(keyOf(key), { ...stored, state: verdict, dueAt });
    return true;
  }

  override async finish(key: SlipKey, token: LeaseToken): Promise<boolean> {
    const stored = this.#slips.get(keyOf(key));
    if (stored?.leaseToken !== token || stored.state.status !== "failed") return false;
    this.#slips.set(keyOf(key), { ...stored, state: { ...stored.state, refunding: false }, dueAt: null });
    return true;
  }

  override async due(limit: number): Promise<LeasedSlip[]> {
    const due = [...this.#slips.values()].filter(({ dueAt }) => dueAt !== null && dueAt <= this.#now());
    return due
      .sort((a, b) => Number(a.dueAt) - Number(b.dueAt))
      .slice(0, limit)
      .map(({ merchantId, slipId, leaseToken }) => ({ merchantId, slipId, leaseToken }));
  }

  #asRead(stored: Stored): Slip {
    return { ...stored, readAt: this.#now() };
  }
}
