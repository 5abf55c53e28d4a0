/**
 * Three origins on loopback (a merchant's page, a sportsbook and a hostile site), and a real Chromium that opens them.
 */
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { publishedFiles } from "../../web-renderer/build/published-files.ts";
import type { SBRenderer, SBRendererLiveOptions } from "../../web-renderer/sb-renderer.ts";
import { launchChromium } from "./chromium.ts";
import type { TestSportsbook } from "./page/test-frame.ts";

const ROOT = join(import.meta.dirname, "../..");

declare global {
  interface Window {
    SBRenderer: typeof SBRenderer;
    /** The page's instance. */
    renderer: SBRenderer;
    /** The calls of the merchant's callbacks: the name, then the arguments. */
    called: unknown[][];
    /** Callbacks that record each call. A test can override them. */
    callbacks: SBRendererLiveOptions;
    sportsbook: TestSportsbook;
    /** The number of loads of the page's iframes. A load that fails counts, too. */
    frameLoads: number;
  }
}

/** A page of the stage: HTML and headers. */
export interface Shown {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The merchant's page, unless a test shows another one. */
export const merchantPage = (
  sportsbook: string,
  script = `<script src="${sportsbook}/sb-renderer.min.js"></script>`,
): string => `<!doctype html>
<html lang="pt"><title>Merchant</title>
${script}
<div id="target" style="height: 400px"></div>
<div id="other" style="height: 300px"></div>`;

export class Stage {
  merchant = "";
  sportsbook = "";
  evil = "";
  /**
   * Pages or other files that a test serves instead of the stage's default files. Key: the origin's name and the path.
   */
  readonly shown = new Map<string, Shown>();
  /** Every request to the sportsbook and to the hostile site, as "METHOD url". */
  readonly requests: string[] = [];
  readonly #usedTokens = new Set<string>();
  readonly #sessions = new Set<string>();
  readonly #servers: Server[] = [];
  readonly #contexts: BrowserContext[] = [];
  #browser!: Browser;

  static async open(): Promise<Stage> {
    const stage = new Stage();
    stage.merchant = await stage.#listen("localhost", (_, response, path) =>
      stage.#show("merchant", path, response, merchantPage(stage.sportsbook)),
    );
    stage.evil = await stage.#listen("evil.localhost", (_, response, path) =>
      stage.#show("evil", path, response, EVIL_PAGE),
    );
    const files = await publishedFiles();
    stage.sportsbook = await stage.#listen("127.0.0.1", async (request, response, path) => {
      const file = files.get(path);
      if (file !== undefined) return file.answer(request, response);
      if (path === "/api/sign-in") return stage.#exchange(await textOf(request), response);
      if (path === "/api/balance") return stage.#balance(String(request.headers.session), response);
      if (path.endsWith(".ts")) return serveScript(path, response);
      stage.#show("sportsbook", path, response, stage.framePage());
    });
    stage.#browser = await launchChromium();
    return stage;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** The test sportsbook's page. It accepts messages only from pages of these origins. */
  framePage(origins: readonly string[] = [this.merchant]): string {
    return `<!doctype html><html data-origins='${JSON.stringify(origins)}'><title>Sportsbook</title><script type="module" src="/testbed/browser/page/test-frame.ts"></script>`;
  }

  /** Ends every session. The next request of each session gets 401. */
  expireSessions(): void {
    this.#sessions.clear();
  }

  /**
   * Opens the merchant's page (`path`) in a fresh browser. With `clock`, the clock of the page and of the frame stands
   * still until the test moves it.
   */
  async visit(path = "/", options: { clock?: boolean } = {}): Promise<Visit> {
    const context = await this.#browser.newContext();
    this.#contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const visit = new Visit(this, page);
    await page.addInitScript(() => {
      window.called = [];
      window.frameLoads = 0;
      // The event does not bubble, but it can be captured.
      document.addEventListener(
        "load",
        ({ target }) => {
          if (target instanceof HTMLIFrameElement) window.frameLoads += 1;
        },
        true,
      );
      const names = [
        "AppInitialized",
        "Error",
        "Login",
        "Register",
        "Recharge",
        "RouteChange",
        "BetslipChanged",
        "BetPlaced",
        "BalanceChange",
      ];
      window.callbacks = Object.fromEntries(
        names.map((name) => [`on${name}`, (...args: unknown[]) => window.called.push([`on${name}`, ...args])]),
      );
    });
    if (options.clock) {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
    }
    await page.goto(this.merchant + path);
    return visit;
  }

  #exchange(token: string, response: ServerResponse): void {
    const good = token.startsWith("jwt") && !this.#usedTokens.has(token);
    this.#usedTokens.add(token);
    if (good) this.#sessions.add(`session of ${token}`);
    response.writeHead(good ? 200 : 409).end(good ? `session of ${token}` : "TOKEN_USED");
  }

  #balance(session: string, response: ServerResponse): void {
    if (this.#sessions.has(session)) response.end('{"amount":9750,"currency":"BRL"}');
    else response.writeHead(401).end();
  }

  #show(origin: string, path: string, response: ServerResponse, usual: string): void {
    const { html, headers = {} } = this.shown.get(`${origin} ${path}`) ?? { html: usual };
    response
      .writeHead(headers.location === undefined ? 200 : 302, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        ...headers,
      })
      .end(html);
  }

  async #listen(
    host: string,
    answer: (request: IncomingMessage, response: ServerResponse, path: string) => void | Promise<void>,
  ): Promise<string> {
    const server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url} referer=${request.headers.referer ?? ""}`);
      void answer(request, response, new URL(request.url ?? "/", "http://stage").pathname);
    });
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    this.#servers.push(server);
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  }
}

/** A page that records every message that it gets. */
const EVIL_PAGE =
  "<!doctype html><title>Evil</title><script>window.got = []; addEventListener('message', (event) => got.push(event.data));</script>";

async function serveScript(path: string, response: ServerResponse): Promise<void> {
  const text = await readFile(join(ROOT, path), "utf8");
  response.writeHead(200, { "content-type": "text/javascript" }).end(stripTypeScriptTypes(text));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** One browser tab with the merchant's page. */
export class Visit {
  readonly page: Page;
  /** The console's messages, as "type: text". */
  readonly console: string[] = [];
  readonly #stage: Stage;

  constructor(stage: Stage, page: Page) {
    this.#stage = stage;
    this.page = page;
    page.on("console", (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.console.push(`uncaught: ${error.message}`));
  }

  /**
   * Runs `new SBRenderer().initialize` in #target, with callbacks that record each call. `options` must be plain data.
   */
  async initialize(options: object = {}): Promise<void> {
    await this.page.evaluate((options) => {
      window.renderer ??= new window.SBRenderer();
      window.renderer.initialize({
        target: document.getElementById("target") as HTMLElement,
        brand_id: "luna",
        ...window.callbacks,
        ...options,
      });
    }, options);
  }

  /** The frame, after the sportsbook has loaded in it with options and session. */
  async started(): Promise<Frame> {
    const frame = await this.sportsbook();
    await frame.waitForFunction(() => window.sportsbook?.calls.some(([name]) => name === "started"));
    return frame;
  }

  async sportsbook(): Promise<Frame> {
    const iframe = await this.page.waitForSelector("iframe", { state: "attached" });
    const frame = await iframe.contentFrame();
    if (frame === null) throw new Error("an iframe has a frame");
    await frame.waitForURL((url) => url.origin === this.#stage.sportsbook);
    return frame;
  }

  /** The arguments of each call with this name that the sportsbook got. */
  async asked(name: string): Promise<unknown[]> {
    const frame = await this.sportsbook();
    return frame.evaluate(
      (name) => window.sportsbook.calls.filter((call) => call[0] === name).map((call) => call[1]),
      name,
    );
  }

  /** Waits until the sportsbook gets this call with an argument that has this JSON. */
  async untilAsked(name: string, argument: unknown): Promise<void> {
    const frame = await this.sportsbook();
    await frame.waitForFunction(
      ([name, json]) => window.sportsbook?.calls.some((call) => call[0] === name && JSON.stringify(call[1]) === json),
      [name, JSON.stringify(argument)] as const,
    );
  }

  /** The arguments of each call of this merchant's callback. */
  called(name: string): Promise<unknown[][]> {
    return this.page.evaluate(
      (name) => window.called.filter((call) => call[0] === name).map((call) => call.slice(1)),
      name,
    );
  }

  async untilCalled(name: string, times = 1): Promise<void> {
    await this.page.waitForFunction(
      ([name, times]) => window.called.filter((call) => call[0] === name).length >= times,
      [name, times] as const,
    );
  }

  /** Waits until a console message contains `text`. */
  async untilConsole(text: string): Promise<void> {
    while (!this.console.some((line) => line.includes(text))) await this.page.waitForEvent("console");
  }

  /** The console's messages of the library, and uncaught errors. */
  complaints(): string[] {
    return this.console.filter((line) => line.includes("[SBRenderer]") || line.startsWith("uncaught"));
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
