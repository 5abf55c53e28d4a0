/** Measures the requests and the paint of a visitor's browser until the embedded sportsbook is shown. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Network } from "../../testbed/browser/network.ts";

/** The last candidate for the largest paint comes within this time. */
const SETTLED_MS = 2_000;
const PAINT_WITHIN_MS = 10_000;
const VIEWPORT = { width: 1440, height: 900 };

declare global {
  interface Window {
    /** The time of this frame's largest paint, in ms since 1970. */
    largestPaint?: number;
  }
}

export interface Weight {
  readonly requests: number;
  readonly bytes: number;
}

/**
 * Loads a merchant's page with an empty cache, and counts the requests to the sportsbook and the bytes of its answers.
 */
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

/** Measures the largest contentful paint of the one frame of a page, from the moment when the page was requested. */
export class PaintTimer {
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
  }

  static async open(browser: Browser, cached: boolean): Promise<PaintTimer> {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntries()) window.largestPaint = performance.timeOrigin + startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: !cached });
    return new PaintTimer(context, page);
  }

  /** Loads the page and returns the time in ms. */
  async time(address: string): Promise<number> {
    await this.#page.goto(address);
    await sleep(SETTLED_MS);
    const frame = this.#page.frames().at(-1);
    const late = performance.now() + PAINT_WITHIN_MS;
    for (;;) {
      const paint = await frame?.evaluate(() => window.largestPaint);
      if (paint !== undefined) return paint - (await this.#page.evaluate(() => performance.timeOrigin));
      if (performance.now() > late) throw new Error(`${address} painted nothing`);
      await sleep(50);
    }
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
