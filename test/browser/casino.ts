/** The whole sandbox as a newcomer starts it, on free ports, and a real Chromium to play with. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { launchChromium } from "../../testbed/browser/chromium.ts";

/** What the wallet is given to answer, so that a silent one need not take 8 s; more than the slow one's 3 s. */
const WALLET_TIMEOUT_MS = 4_000;
const START_TIMEOUT_MS = 60_000;

export interface Casino {
  /** The merchant's site. */
  readonly url: string;
  /** The API's reference page, with the merchant's credentials behind its #. */
  readonly reference: string;
  /** The sportsbook's origin. */
  readonly sportsbook: string;
  /** The admin key that it was given. */
  readonly adminKey: string;
  /** What the start printed. */
  readonly printed: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** @param more - environment variables of the service, beside those that every test needs. */
export async function openCasino(more: Readonly<Record<string, string>> = {}): Promise<Casino> {
  const service = ["REST_PORT", "GRPC_PORT", "INTERNAL_GRPC_PORT", "INTERNAL_HTTP_PORT"];
  const names = [...service, "MERCHANT_PORT", "PROVIDER_PORT", "PROVIDER_GRPC_PORT", "WALLET_PORT", "SPORTSBOOK_PORT"];
  const ports = await freePorts(names.length);
  const adminKey = randomBytes(32).toString("base64");
  const given = {
    SANDBOX_ADMIN_KEY: adminKey,
    WALLET_TIMEOUT_MS: String(WALLET_TIMEOUT_MS),
    SPORTSBOOK_SEED: "7",
    SPORTSBOOK_CLOCK: "still",
    ...more,
  };
  const env = { ...process.env, ...given, ...Object.fromEntries(names.map((name, i) => [name, String(ports[i])])) };
  const process_ = spawn(process.execPath, ["src/start.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
  const killWithUs = (): void => void process_.kill("SIGTERM");
  process.once("exit", killWithUs);
  const printed = await printedAddresses(process_);
  const address = (of: string) => new RegExp(`${of} +(\\S+)\n`).exec(printed)?.[1] ?? "";
  const browser = await launchChromium();
  return {
    url: address("Merchant's site"),
    reference: address("API reference"),
    sportsbook: new URL(address("Sportsbook")).origin,
    adminKey,
    printed,
    browser,
    async close() {
      await browser.close();
      process.off("exit", killWithUs);
      const ended = once(process_, "exit");
      process_.kill("SIGTERM");
      await ended;
    },
  };
}

async function printedAddresses(child: ChildProcess): Promise<string> {
  let text = "";
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  const more = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout?.on("data", more);
  child.stderr?.on("data", more);
  while (!text.includes("Ctrl+C")) {
    if (late.aborted || child.exitCode !== null) throw new Error(`the sandbox did not start:\n${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return text;
}

/**
 * Ports that are free now, and that the system gives nobody who doesn't ask for them: what it hands out of itself (from
 * 32768 on) is taken by other tests' connections before the sandbox listens. They are all held until the last is found,
 * so that none comes twice.
 */
async function freePorts(count: number): Promise<number[]> {
  const servers: Server[] = [];
  while (servers.length < count) {
    const server = createServer().listen(randomInt(10_000, 32_768), "127.0.0.1");
    if (await once(server, "listening").catch(() => undefined)) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
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

  /** Reels and ball stand still unless `motion`, which makes a round quick. */
  static async open(casino: Casino, options: { width?: number; height?: number; motion?: boolean } = {}): Promise<Tab> {
    const context = await casino.browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      reducedMotion: options.motion ? "no-preference" : "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
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

  /** One round of the slot, until the next can be played or a decision is asked for. */
  async spin(): Promise<void> {
    await this.spinButton.click();
    await this.game.locator(".spin:enabled").waitFor();
  }

  async setWallet(label: string): Promise<void> {
    const saved = this.page.waitForResponse((response) => response.url().endsWith("/api/fault"));
    await this.page.getByRole("radio", { name: label, exact: true }).check();
    await saved;
  }

  /** What the list shows, newest first. */
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

  /** Waits until the list shows a callback like this, and answers it. */
  async callback(matches: (callback: ShownCallback) => boolean): Promise<ShownCallback> {
    for (let waited = 0; waited < 20_000; waited += 100) {
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

  async backToLobby(): Promise<void> {
    await this.page.goto(`${this.#url}#/`);
    await this.page.getByRole("button", { name: "Play Neon Sevens" }).waitFor();
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
