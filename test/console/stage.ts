/** The console as its users have it: the real service with its wallet and provider, and tabs of a real Chromium. */
import test, { type ExecutionContext } from "ava";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { builtConsole } from "../../console/build/built-console.ts";
import { launchChromium } from "../../testbed/browser/chromium.ts";
import { ADMIN_KEY, type Admin, adminOf } from "../../testbed/callers/administration.ts";
import { type Scope, startWorld, type WorldOptions } from "../../testbed/stage/world.ts";

export const MERCHANT = "shop-brl";
export const ROLES = ["viewer", "support", "manager", "owner"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Short times, so that a test need not wait until a page has something to show. The wallet's time is long enough for a
 * wallet on a busy machine.
 */
const ENV = { ADMIN_KEY, WALLET_TIMEOUT_MS: "4000", REFUND_QUIET_PERIOD_MS: "0" };

type World = Awaited<ReturnType<typeof startWorld>>;

export interface Console {
  readonly world: World;
  readonly admin: Admin;
  /** A key of each role. */
  readonly keys: Readonly<Record<Role, string>>;
  /** Opens a tab without a session. The test fails if the page logs an error or throws one. */
  tab(t: ExecutionContext, options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page of the console as a role: `transactions?status=pending`. */
  page(t: ExecutionContext, role: Role, address: string, options?: BrowserContextOptions): Promise<Page>;
  readonly origin: string;
  /** Makes the pending transaction with this own id so old that it may be closed by hand. */
  age(own: string): Promise<void>;
}

export async function openConsole(scope: Scope, options: Pick<WorldOptions, "isEmpty" | "env"> = {}): Promise<Console> {
  await builtConsole();
  const world = await startWorld(scope, {
    ...options,
    env: { ...ENV, ...options.env },
  });
  const admin = adminOf({ ports: world.first.ports } as never);
  const keys = {} as Record<Role, string>;
  for (const role of ROLES)
    keys[role] = (await admin.keys.createKey({ role, name: `${role}-1`, reason: "a test" })).key;
  const browser = await (shared ??= launchChromium());
  const origin = `http://127.0.0.1:${world.first.ports.internalHttp}`;
  const tab = async (t: ExecutionContext, options: BrowserContextOptions = {}): Promise<Page> => {
    const viewport = { width: 1280, height: 900 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce", locale: "en-GB", ...options });
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    // The browser itself logs a line about a refused call. Every other message is a fault of the page.
    page.on(
      "console",
      (line) => line.type() === "error" && !/status of [45]|ERR_/.test(line.text()) && t.fail(line.text()),
    );
    page.on("pageerror", (error) => t.fail(error.message));
    return page;
  };
  return {
    world,
    admin,
    keys,
    origin,
    tab,
    async page(t, role, address, options) {
      const page = await tab(t, options);
      const session = await page.request.post(`${origin}/console/session`, {
        data: { key: keys[role] },
        headers: { origin },
      });
      t.is(session.status(), 200);
      await page.goto(`${origin}/console/#/${address}`);
      return page;
    },
    async age(own) {
      await world.database
        .knex("tx")
        .where({ tx_id: `ACME:${own}` })
        .decrement("opened_at", 73 * 3_600_000);
    },
  };
}

/** One Chromium for all tests of a file. */
let shared: Promise<Browser> | undefined;
test.after.always(async () => (await shared)?.close());

/** Closes what is opened for a whole test file. Call {@link end} in `test.after.always`. */
export class FileScope implements Scope {
  readonly #ends: (() => void | Promise<void>)[] = [];
  teardown(end: () => void | Promise<void>): void {
    this.#ends.unshift(end);
  }
  readonly end = async (): Promise<void> => {
    for (const end of this.#ends) await end();
  };
}
