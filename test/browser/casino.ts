/** The whole sandbox, started like `npm start` on free ports, and a real Chromium that plays. */
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { type StartedSandbox, startSandbox } from "../../testbed/stage/sandbox.ts";

/**
 * The time-out of wallet calls. It is shorter than 8 s, to save time with a silent wallet, and longer than the 3 s of
 * the slow wallet, even on a busy machine.
 */
const WALLET_TIMEOUT_MS = 6_000;

export interface Casino extends StartedSandbox {
  readonly browser: Browser;
}

/** @param more - environment variables of the service, beside those that every test needs. */
export async function openCasino(more: Readonly<Record<string, string>> = {}): Promise<Casino> {
  const sandbox = await startSandbox({
    WALLET_TIMEOUT_MS: String(WALLET_TIMEOUT_MS),
    SPORTSBOOK_SEED: "7",
    SPORTSBOOK_CLOCK: "still",
    ...more,
  });
  const browser = await launchChromium();
  return {
    ...sandbox,
    browser,
    async close() {
      await browser.close();
      return sandbox.close();
    },
  };
}

/** A callback as the page's list shows it. */
export interface ShownCallback {
  readonly action: string;
  readonly tx: string | null;
  readonly attempt: number;
  readonly verdict: string;
  readonly why: string;
  readonly signed: boolean;
  /** The body's amount; null of a balance query. */
  readonly amount: number | null;
}

/** A logged-in player's browser tab. */
export class Tab {
  readonly page: Page;
  readonly game: FrameLocator;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.game = page.frameLocator("iframe");
    this.#url = url;
  }

  /** Opens a tab. Without `motion`, reels and ball are not animated, so a round is quick. */
  static async open(casino: Casino, options: { width?: number; height?: number; motion?: boolean } = {}): Promise<Tab> {
    const context = await casino.browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      reducedMotion: options.motion ? "no-preference" : "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(casino.url);
    await page.getByRole("button", { name: "Enter the casino" }).waitFor();
    return new Tab(page, casino.url);
  }

  async logIn(player: string, currency: string): Promise<void> {
    await this.page.getByRole("radio", { name: currency }).check();
    await this.page.getByRole("radio", { name: new RegExp(player) }).check();
    await this.page.getByRole("button", { name: "Enter the casino" }).click();
    await this.page.getByRole("button", { name: "Play Neon Sevens" }).waitFor();
  }

  async play(name: string): Promise<void> {
    await this.page.getByRole("button", { name: `Play ${name}` }).click();
  }

  get spinButton(): Locator {
    return this.game.getByRole("button", { name: "Spin" });
  }

  /** Plays one round of the slot. Waits until the next round can be played, or until the game asks for a decision. */
  async spin(): Promise<void> {
    await this.spinButton.click();
    await this.game.locator(".spin:enabled").waitFor();
  }

  async setWallet(label: string): Promise<void> {
    const saved = this.page.waitForResponse((response) => response.url().endsWith("/api/fault"));
    await this.page.getByRole("radio", { name: label, exact: true }).check();
    await saved;
  }

  /** The callbacks that the list shows, newest first. */
  callbacks(): Promise<ShownCallback[]> {
    return this.page.locator(".event").evaluateAll((events) =>
      events.map((event) => {
        const text = (selector: string) => event.querySelector(selector)?.textContent ?? "";
        const body =
          [...event.querySelectorAll("dt")].find((term) => term.textContent === "body")?.nextElementSibling
            ?.textContent ?? "{}";
        return {
          action: event.getAttribute("data-action") ?? "",
          tx: event.getAttribute("data-tx"),
          attempt: Number(event.getAttribute("data-attempt")),
          verdict: text(".verdict"),
          why: text(".why"),
          signed: text(".facts").includes("signature verified"),
          amount: (JSON.parse(body) as { amount?: number }).amount ?? null,
        };
      }),
    );
  }

  /** Waits until the list shows a callback that `matches`, and returns the callback. */
  async callback(matches: (callback: ShownCallback) => boolean): Promise<ShownCallback> {
    for (let waited = 0; waited < 60_000; waited += 100) {
      const found = (await this.callbacks()).find(matches);
      if (found !== undefined) return found;
      await this.page.waitForTimeout(100);
    }
    throw new Error(`no such callback; there are ${JSON.stringify(await this.callbacks(), null, 1)}`);
  }

  /**
   * The balance in the top bar, as text and in the major unit (of a currency with two decimals and a decimal comma).
   */
  async balance(): Promise<string> {
    return (await this.page.locator("#balance").textContent()) ?? "";
  }

  /** Waits until the top bar shows this balance. It shows each callback's balance a moment after the game. */
  async untilBalance(text: string): Promise<void> {
    await this.page.locator("#balance").filter({ hasText: text }).waitFor();
  }

  async backToLobby(): Promise<void> {
    await this.page.goto(`${this.#url}#/`);
    await this.page.getByRole("button", { name: "Play Neon Sevens" }).waitFor();
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
