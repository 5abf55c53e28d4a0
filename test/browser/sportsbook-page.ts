import type { Frame, FrameLocator, Locator } from "playwright-core";
import { type Casino, Tab } from "./casino.ts";

/** The argument of onBetPlaced. `stake` is in minor units. */
export interface Placed {
  readonly betIds: string[];
  readonly stake: number;
}

/** The sportsbook in a merchant's tab. */
export class Sportsbook {
  readonly tab: Tab;
  readonly frame: FrameLocator;

  constructor(tab: Tab) {
    this.tab = tab;
    this.frame = tab.game;
  }

  /** Logs in by a request and not by the form, which is quicker, and opens the sportsbook directly. */
  static async open(casino: Casino, player: string, currency: string): Promise<Sportsbook> {
    const context = await casino.browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
    });
    const code = currency.toLowerCase();
    await context.request.post(`${casino.url}/api/login`, {
      data: { merchant: `casa-luna-${code}`, player: `${player.toLowerCase()}-${code}` },
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const answers = ["/api/balance", "/api/account"].map((path) =>
      page.waitForResponse((response) => response.url().endsWith(path)),
    );
    await page.goto(`${casino.url}#/sportsbook`);
    const sportsbook = new Sportsbook(new Tab(page, casino.url));
    await sportsbook.heard("onAppInitialized");
    await sportsbook.frame.locator("#balance").filter({ hasNotText: "…" }).waitFor();
    // No request of the session is open when a test begins.
    await Promise.all(answers);
    return sportsbook;
  }

  /** The button of a selection by its id, on the board or on the match's own page. */
  odds(id: string): Locator {
    return this.frame.locator(`main .odds[data-id="${id}"]`).first();
  }

  get place(): Locator {
    return this.frame.getByRole("button", { name: "Place bet" });
  }

  async stake(amount: string): Promise<void> {
    await this.frame.locator("#slip input[data-input]").last().fill(amount);
  }

  /** The amount in the betslip's foot, as text. */
  async promised(): Promise<string> {
    return (await this.frame.locator("#slip .potential b").textContent()) ?? "";
  }

  /** Waits for a call of a callback whose argument `matches`, and returns the argument. */
  async heard<T = unknown>(
    name: string,
    matches: (values: readonly T[]) => boolean = () => true,
  ): Promise<readonly T[]> {
    const of = this.tab.page.locator(`.calls li.heard[data-name="${name}"]`);
    for (let waited = 0; waited < 60_000; waited += 50) {
      const all = await of.evaluateAll((items) => items.map((item) => item.getAttribute("data-values") ?? "[]"));
      const found = all.map((text) => JSON.parse(text) as T[]).find(matches);
      if (found !== undefined) return found;
      await this.tab.page.waitForTimeout(50);
    }
    throw new Error(
      `${name} was not heard; the panel shows ${JSON.stringify(await this.tab.page.locator(".calls code").allTextContents())}`,
    );
  }

  count(name: string): Promise<number> {
    return this.tab.page.locator(`.calls li.heard[data-name="${name}"]`).count();
  }

  inner(): Frame {
    return this.tab.page.frames().at(-1) as Frame;
  }
}
