/** Measures how a visitor's browser loads the embedded sportsbook: the bytes, and the time of the largest paint. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Network } from "../../testbed/browser/network.ts";

/** Within this time the browser reports its last candidate for the largest paint. */
const SETTLED_MS = 1_500;
const PAINT_WITHIN_MS = 10_000;
/** In a new window the browser first loads its own pages, which need CPU time. They are loaded within this time. */
const WINDOW_READY_MS = 1_200;
const VIEWPORT = { width: 1440, height: 900 };

declare global {
  interface Window {
    /** The time of this frame's largest paint so far, in ms since 1970. */
    largestPaint?: number;
  }
}

export interface Weight {
  readonly requests: number;
  readonly bytes: number;
}

/** Loads a merchant's page with an empty cache, and counts what the sportsbook sent for it. */
export async function weigh(browser: Browser, address: string, sportsbook: string): Promise<Weight> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const network = await Network.watch(page);
  await page.goto(address);
  await sleep(SETTLED_MS);
  const loaded = network.to(sportsbook);
  await context.close();
  return { requests: loaded.length, bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The largest contentful paint of the one frame of a page, in ms from the moment when the page was requested. */
export interface Paints {
  /** The time of a visit with an empty cache. */
  readonly first: number;
  /** The time of the next visit, with the files that the first visit left in the cache. */
  readonly next: number;
}

/** Visits a page twice, in a new browser context. */
export async function timePaints(browser: Browser, address: string): Promise<Paints> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    await context.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) window.largestPaint = performance.timeOrigin + startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    return { first: await visit(context, address), next: await visit(context, address) };
  } finally {
    await context.close();
  }
}

/** Visits a page in a new tab. Returns the time from the request until the largest paint, in ms. */
async function visit(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  await sleep(WINDOW_READY_MS);
  await page.goto(address);
  await sleep(SETTLED_MS);
  const paint = await largestPaint(page);
  const asked = await page.evaluate(() => performance.timeOrigin);
  await page.close();
  return paint - asked;
}

async function largestPaint(page: Page): Promise<number> {
  const late = performance.now() + PAINT_WITHIN_MS;
  for (;;) {
    const paint = await page
      .frames()
      .at(-1)
      ?.evaluate(() => window.largestPaint);
    if (paint !== undefined) return paint;
    if (performance.now() > late) throw new Error(`${page.url()} painted nothing`);
    await sleep(50);
  }
}
