import type { DbTime } from "../../domain/transaction/transaction.ts";
import type { AlertStore } from "../../ports/transactions/alert-store.ts";
import type { OpenSums, StuckMoney } from "../../ports/transactions/stuck-money.ts";
import { SPANS, together, type WalletMinutes, type WalletSums } from "../../ports/transactions/wallet-minutes.ts";
import { WALLET_ALERTS } from "./alerts/closes.ts";
import { type Judge, newestTrouble, type TroubleBegin, troubleBegins } from "./trouble-begin.ts";
import { type WalletState, walletState } from "./wallet-state.ts";

/** The newest calls, which decide how a wallet is now. */
const NOW_MS = 5 * SPANS.minute;
/** The maximum of open alerts of one name that are read. */
const ALERTS_MAX = 2_000;

/** How a wallet is now. */
export interface WalletVerdict {
  /** `quiet`: there were no calls in the last 5 minutes, and no alert is open. */
  readonly state: WalletState | "quiet";
  /** When the trouble began; undefined: there is none. */
  readonly begin: TroubleBegin | undefined;
  /** The smallest number of permits that the circuit breaker left in these calls; null: it was closed. */
  readonly breakerPermits: number | null;
}

const QUIET: WalletVerdict = { state: "quiet", begin: undefined, breakerPermits: null };

/** A merchant by its number and its code, which names it in alerts. */
interface Judged {
  readonly id: number;
  readonly code: string;
}

/** What is known of one wallet. */
interface Wallet {
  readonly id: number;
  /** Minutes with calls, in the order of time. */
  readonly minutes: readonly WalletSums[];
  /** Whether a transaction that the service goes on sending has no answer. */
  readonly owesAnswer: boolean;
  /** When an alert that says that the wallet fails was raised; undefined: none is open. */
  readonly alertedAt: DbTime | undefined;
}

/** Says how wallets are now, for every page in the same way (docs/specification/console.md#console-wallet-verdict). */
export class WalletVerdicts {
  readonly #minutes: WalletMinutes;
  readonly #stuck: Pick<StuckMoney, "open">;
  readonly #alerts: Pick<AlertStore, "quiet">;
  readonly #horizonMs: number;

  constructor(
    minutes: WalletMinutes,
    stuck: Pick<StuckMoney, "open">,
    alerts: Pick<AlertStore, "quiet">,
    { horizonMs }: { readonly horizonMs: number },
  ) {
    this.#minutes = minutes;
    this.#stuck = stuck;
    this.#alerts = alerts;
    this.#horizonMs = horizonMs;
  }

  /**
   * Reads the verdicts on these merchants' wallets. Throws StoreUnavailable.
   *
   * @param now - the database's time.
   */
  async of(merchants: readonly Judged[], now: DbTime): Promise<(merchant: Judged) => WalletVerdict> {
    const ids = merchants.map(({ id }) => id);
    const [recent, open] = await Promise.all([this.recent(ids, now), this.#stuck.open(ids, [0], this.#horizonMs)]);
    return this.judge(merchants, now, recent, open);
  }

  /** The sums of the newest minutes, which decide how a wallet is now. Throws StoreUnavailable. */
  recent(ids: readonly number[], now: DbTime): Promise<WalletSums[]> {
    return this.#read(ids, now - NOW_MS, now);
  }

  /**
   * As {@link of}, for a caller that has read the rest.
   *
   * @param recent - see {@link recent}.
   * @param open - the pending transactions. Their first age is 0.
   */
  async judge(
    merchants: readonly Judged[],
    now: DbTime,
    recent: readonly WalletSums[],
    open: readonly OpenSums[],
  ): Promise<(merchant: Judged) => WalletVerdict> {
    const alerts = await Promise.all(WALLET_ALERTS.map((name) => this.#alerts.quiet(name, 0, "", ALERTS_MAX)));
    const newest = byMerchant(recent);
    const owing = new Set(open.filter(({ retrying }) => (retrying[0]?.count ?? 0) > 0).map((one) => one.merchantId));
    const alerted = new Map<string, DbTime>();
    for (const { subject, firstAt } of alerts.flat())
      alerted.set(subject, Math.min(firstAt, alerted.get(subject) ?? firstAt));
    const wallets = merchants.map(({ id, code }): Wallet => {
      return { id, minutes: newest.get(id) ?? [], owesAnswer: owing.has(id), alertedAt: alerted.get(code) };
    });
    const verdicts = new Map(wallets.map((wallet) => [wallet.id, verdictOf(wallet, now)]));
    // Only wallets in trouble need more than the newest minutes.
    const troubled = wallets.filter(({ id, owesAnswer }) => owesAnswer || verdicts.get(id)?.begin !== undefined);
    const troubledIds = troubled.map(({ id }) => id);
    const hour = byMerchant(await this.#read(troubledIds, now - SPANS.hour, now));
    const judged = troubled.map((wallet) => ({
      ...wallet,
      ...verdictOf({ ...wallet, minutes: hour.get(wallet.id) ?? [] }, now),
    }));
    const known = judged.flatMap((one) =>
      one.begin === undefined ? [] : [{ merchantId: one.id, judge: judgeOf(one, one.state), begin: one.begin }],
    );
    const begins = await troubleBegins(this.#minutes, known, now);
    for (const { id, state, breakerPermits } of judged)
      verdicts.set(id, { state, begin: begins.get(id), breakerPermits });
    return ({ id }) => verdicts.get(id) ?? QUIET;
  }

  #read(ids: readonly number[], from: DbTime, to: DbTime): Promise<WalletSums[]> {
    return this.#minutes.read(ids, SPANS.minute, from - (from % SPANS.minute), to);
  }
}

const byMerchant = (sums: readonly WalletSums[]): Map<number, WalletSums[]> =>
  Map.groupBy(sums, ({ merchantId }) => merchantId);

/** Whether a step counts: of a wallet that owes an answer about money, only steps with calls about money do. */
const counts = ({ owesAnswer }: Pick<Wallet, "owesAnswer">, { calls, balanceCalls }: WalletSums): boolean =>
  !owesAnswer || calls.reduce((sum, count) => sum + count, 0) > balanceCalls;

/** A verdict from the newest minutes. If none of an owing wallet is that new, its last minute about money decides. */
function verdictOf(wallet: Wallet, now: DbTime): WalletVerdict {
  const steps = wallet.minutes.filter((step) => counts(wallet, step));
  const newest = steps.filter(({ at }) => at >= now - (now % SPANS.minute) - NOW_MS);
  const decides = newest.length === 0 && wallet.owesAnswer ? steps.slice(-1) : newest;
  const sums = decides.length === 0 ? undefined : decides.reduce(together);
  const breakerPermits = sums?.breakerPermits ?? null;
  const { alertedAt } = wallet;
  const state = alertedAt !== undefined ? "failing" : sums === undefined ? "quiet" : walletState(sums);
  if (state === "quiet" || state === "good") return { state, begin: undefined, breakerPermits };
  const seen = sums && newestTrouble(steps, judgeOf(wallet, state));
  const begin =
    alertedAt === undefined || (seen && seen.since < alertedAt) ? seen : { since: alertedAt, orEarlier: false };
  return { state, begin, breakerPermits };
}

/** Which steps go on with a trouble of this state. */
function judgeOf(wallet: Pick<Wallet, "owesAnswer">, state: WalletVerdict["state"]): Judge {
  const isTrouble = (one: WalletState): boolean =>
    one === "failing" || one === "slow" || (one === "some_fail" && state === "some_fail");
  return (step) => (counts(wallet, step) ? (isTrouble(walletState(step)) ? "trouble" : "order") : "nothing");
}
