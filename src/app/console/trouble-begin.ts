import type { DbTime } from "../../domain/transaction/transaction.ts";
import {
  SPANS,
  WALLET_MINUTES_MS,
  type WalletMinutes,
  type WalletSums,
} from "../../ports/transactions/wallet-minutes.ts";
import { isTrouble, type WalletTrouble } from "./wallet-state.ts";

const { minute: MINUTE, hour: HOUR } = SPANS;

/** Troubles by the numbers of their merchants. */
export type Troubles = ReadonlyMap<number, WalletTrouble>;

/**
 * The same troubles with the minute in which each began, also if it began before the period that was looked at: up to 7
 * days ago. Throws StoreUnavailable.
 *
 * @param stepMs - the length of the steps in which the troubles were found.
 * @param now - the database's time.
 */
export async function withBegin(
  store: WalletMinutes,
  troubles: Troubles,
  stepMs: number,
  now: DbTime,
): Promise<Troubles> {
  const rough = await byHour(store, troubles, now);
  const exact = new Map(rough);
  const coarse = [...rough].filter(([id]) => stepMs > MINUTE || troubles.get(id)?.orEarlier);
  for (const [hour, some] of Map.groupBy(coarse, ([, { since }]) => hourOf(since))) {
    const ids = some.map(([id]) => id);
    const minutes = ofEach(await store.read(ids, MINUTE, hour - HOUR, hour + HOUR + stepMs));
    for (const [id, trouble] of some) exact.set(id, inMinutes(trouble, minutes.get(id) ?? []));
  }
  return exact;
}

/** Moves each trouble that may have begun earlier back to the hour in which it began. */
async function byHour(store: WalletMinutes, troubles: Troubles, now: DbTime): Promise<Troubles> {
  const open = [...troubles].filter(([, { orEarlier }]) => orEarlier);
  const ids = open.map(([id]) => id);
  const hours = ofEach(await store.read(ids, HOUR, hourOf(now - WALLET_MINUTES_MS), now));
  const moved = new Map(troubles);
  for (const [id, trouble] of open) {
    const before = (hours.get(id) ?? []).filter(({ at }) => at < hourOf(trouble.since));
    const begin = before.findLastIndex((hour) => !isTrouble(hour)) + 1;
    moved.set(id, { ...trouble, since: before[begin]?.at ?? trouble.since, orEarlier: begin === 0 });
  }
  return moved;
}

/** Moves a trouble to its first minute: that of its first step or hour, or one of the minutes just before. */
function inMinutes(trouble: WalletTrouble, minutes: readonly WalletSums[]): WalletTrouble {
  const first = minutes.findIndex((one) => one.at >= trouble.since && isTrouble(one));
  if (first < 0) return trouble;
  const begin = minutes.findLastIndex((one, i) => i < first && !isTrouble(one)) + 1;
  return { ...trouble, since: minutes[begin]?.at ?? trouble.since, orEarlier: trouble.orEarlier && begin === 0 };
}

const ofEach = (sums: readonly WalletSums[]): Map<number, WalletSums[]> =>
  Map.groupBy(sums, ({ merchantId }) => merchantId);

const hourOf = (at: DbTime): DbTime => at - (at % HOUR);
