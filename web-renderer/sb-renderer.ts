import { checkLive, checkPlace, FIXED_OPTIONS } from "./check-options.ts";
import { Mount } from "./mount.ts";
import type { SBRendererLiveOptions, SBRendererOptions } from "./options.ts";
import { pageRoute } from "./page-route.ts";
import { scriptOrigin } from "./script-origin.ts";
import { warn } from "./warn.ts";

export type { SBRendererCallbacks, SBRendererLiveOptions, SBRendererOptions } from "./options.ts";

/**
 * The sportsbook in a merchant's page.
 *
 * ```ts
 * const sportsbook = new SBRenderer();
 * sportsbook.initialize({ target, brand_id: "my-brand", token: null, onLogin: () => openLogin() });
 * // after the login, with the jwt of a launch made on the server:
 * sportsbook.updateOptions({ token: jwt });
 * ```
 */
export class SBRenderer {
  #mount: Mount | undefined;

  /** Mounts the iframe, in place of the one before. Throws a TypeError that names everything wrong with target, brand_id and url; the one before stays then. */
  initialize(options: SBRendererOptions): void {
    const place = checkPlace(options, scriptOrigin.value);
    const live = checkLive({ ...options, path: options.path ?? pageRoute() ?? undefined }, FIXED_OPTIONS);
    this.kill();
    this.#mount = new Mount(place, live);
  }

  /** Changes options live; everything but target, brand_id and url. Before the sportsbook is ready they wait, and the last value of each wins. */
  updateOptions(options: SBRendererLiveOptions): void {
    this.#mounted()?.update(checkLive(options));
  }

  /** Goes to a route inside the sportsbook. It begins with one `/`. */
  navigate(path: string): void {
    this.updateOptions({ path });
  }

  /** For after a deposit or withdrawal on the merchant's site. */
  refreshBalance(): void {
    this.#mounted()?.refreshBalance();
  }

  /** Removes the iframe and every listener. Twice is fine. */
  kill(): void {
    this.#mount?.kill();
    this.#mount = undefined;
  }

  #mounted(): Mount | undefined {
    if (this.#mount === undefined) warn("initialize comes first");
    return this.#mount;
  }
}
