/**
 * Measures whether the last pages of a long listing cost as much as the first page, and how much memory a whole export
 * needs.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { RestCaller } from "../load/rest-caller.ts";
import { residentBytes } from "../machine/process-usage.ts";
import { type Spread, spread } from "../report/statistics.ts";

const PAGE = 1_000;
/** The number of last full pages that are read again, alternating with the first page. */
const LAST_PAGES = 5;
const ROUNDS = 4;
const RESIDENT_EVERY_MS = 50;

export interface Walked {
  readonly items: number;
  readonly pages: number;
  readonly firstMs: Spread;
  readonly lastMs: Spread;
}

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** @param target - a listing without limit and cursor. */
export async function walk(caller: RestCaller, target: string, log: (text: string) => void): Promise<Walked> {
  const first = `${target}&limit=${PAGE}`;
  const full: string[] = [];
  let items = 0;
  let pages = 0;
  for (let page: string | null = first; page !== null; ) {
    const { data }: { data: Page } = await caller.get<Page>(page);
    items += data.items.length;
    pages += 1;
    if (data.items.length === PAGE) full.push(page);
    if (pages % 200 === 0) log(`${pages} pages, ${items} transactions`);
    page =
      data.next_cursor === null || data.items.length === 0
        ? null
        : `${target}&limit=${PAGE}&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
  const [firstMs, lastMs] = [[] as number[], [] as number[]];
  for (let round = 0; round < ROUNDS; round++) {
    for (const last of full.slice(-LAST_PAGES)) {
      firstMs.push((await caller.get(first)).ms);
      lastMs.push((await caller.get(last)).ms);
    }
  }
  return { items, pages, firstMs: spread(firstMs), lastMs: spread(lastMs) };
}

export interface Exported {
  readonly megabytes: number;
  readonly seconds: number;
  /** The growth of the service's resident memory, from just before the export to the highest value during it. */
  readonly grownMib: number;
}

/** @param pid - the service's process. */
export async function exportAll(caller: RestCaller, target: string, pid: number): Promise<Exported> {
  const before = residentBytes(pid).now;
  let highest = before;
  let done = false;
  const watch = async (): Promise<void> => {
    for (; !done; await sleep(RESIDENT_EVERY_MS)) highest = Math.max(highest, residentBytes(pid).now);
  };
  const watched = watch();
  const { status, bytes, ms } = await caller.drain(target);
  done = true;
  await watched;
  if (status !== 200) throw new Error(`${target}: ${status}`);
  return { megabytes: bytes / 1e6, seconds: ms / 1_000, grownMib: (highest - before) / 2 ** 20 };
}
