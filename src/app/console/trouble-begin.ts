import type { DbTime } from "../../domain/transaction/transaction.ts";
import {
  SPANS,
  WALLET_MINUTES_MS,
  type WalletMinutes,
  type WalletSums,
} from "../../ports/transactions/wallet-minutes.ts";

const { minute: MINUTE, hour: HOUR } = SPANS;

/** When a trouble of a wallet began. */
export interface TroubleBegin {
  readonly since: DbTime;
  /** Whether no earlier step is known, so that the trouble may have begun before. */
  readonly orEarlier: boolean;
}

/** What a step of a wallet says of its trouble: it goes on, it was over, or nothing. */
export type Judge = (step: WalletSums) => "trouble" | "order" | "nothing";

/** A trouble with the beginning that the steps of the last hour show. */
export interface KnownTrouble {
  readonly merchantId: number;
  readonly judge: Judge;
  readonly begin: TroubleBegin;
}

/**
 * The beginning of the newest trouble in these steps; undefined: there is none.
 *
 * @param steps - the sums of one wallet in the order of time. Steps without calls are left out.
 */
export function newestTrouble(steps: readonly WalletSums[], judge: Judge): TroubleBegin | undefined {
  const last = steps.findLastIndex((step) => judge(step) === "trouble");
  const at = steps[last]?.at;
  return at === undefined ? undefined : beginBefore(steps, last, judge, at);
}

/**
 * The first step of the trouble that goes on at this place.
 *
 * @param since - when it began if no step before this place is in trouble.
 */
function beginBefore(steps: readonly WalletSums[], place: number, judge: Judge, since: DbTime): TroubleBegin {
  const end = steps.findLastIndex((step, i) => i < place && judge(step) === "order");
  const first = steps.find((step, i) => i > end && i < place && judge(step) === "trouble");
  return { since: first?.at ?? since, orEarlier: end < 0 };
}

/**
 * The minute in which each trouble began, also if it began before the last hour: up to 7 days ago. Throws
 * StoreUnavailable.
 *
 * @param now - the database's time.
 * @returns the beginnings by merchants' numbers.
 */
export async function troubleBegins(
  store: WalletMinutes,
  troubles: readonly KnownTrouble[],
  now: DbTime,
): Promise<ReadonlyMap<number, TroubleBegin>> {
  const begins = new Map(troubles.map(({ merchantId, begin }) => [merchantId, begin]));
  const old = await byHour(
    store,
    troubles.filter(({ begin }) => begin.orEarlier),
    now,
  );
  for (const [hour, some] of Map.groupBy(old, ({ begin }) => hourOf(begin.since))) {
    const minutes = ofEach(await store.read(idsOf(some), MINUTE, hour - HOUR, hour + HOUR));
    for (const one of some) begins.set(one.merchantId, inMinutes(one, minutes.get(one.merchantId) ?? []));
  }
  return begins;
}

/** Moves each trouble back to the hour in which it began. */
async function byHour(store: WalletMinutes, troubles: readonly KnownTrouble[], now: DbTime): Promise<KnownTrouble[]> {
  const hours = ofEach(await store.read(idsOf(troubles), HOUR, hourOf(now - WALLET_MINUTES_MS), now));
  return troubles.map((trouble) => {
    const { judge, begin } = trouble;
    const before = (hours.get(trouble.merchantId) ?? []).filter(({ at }) => at < hourOf(begin.since));
    return { ...trouble, begin: beginBefore(before, before.length, judge, begin.since) };
  });
}

/** The first minute of a trouble: that of its first hour, or one of the minutes just before. */
function inMinutes({ judge, begin }: KnownTrouble, minutes: readonly WalletSums[]): TroubleBegin {
  const first = minutes.findIndex((one) => one.at >= begin.since && judge(one) === "trouble");
  const at = minutes[first]?.at;
  if (at === undefined) return begin;
  const { since, orEarlier } = beginBefore(minutes, first, judge, at);
  return { since, orEarlier: begin.orEarlier && orEarlier };
}

const idsOf = (troubles: readonly KnownTrouble[]): number[] => troubles.map(({ merchantId }) => merchantId);

const ofEach = (sums: readonly WalletSums[]): Map<number, WalletSums[]> =>
  Map.groupBy(sums, ({ merchantId }) => merchantId);

const hourOf = (at: DbTime): DbTime => at - (at % HOUR);
