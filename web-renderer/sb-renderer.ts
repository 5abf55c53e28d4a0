import { checkLive, checkMountPoint } from "./check-options.ts";
import { scriptOrigin } from "./dom.ts";
import { type Mount, mount } from "./mount.ts";
import type { SBRendererLiveOptions, SBRendererOptions } from "./options.ts";
import { pageRoute } from "./page-route.ts";
import { warn } from "./warn.ts";

export type {
  SBRendererCallbacks,
  SBRendererError,
  SBRendererErrorCode,
  SBRendererLiveOptions,
  SBRendererOptions,
} from "./options.ts";

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

  /**
   * Mounts the iframe and removes an earlier iframe. If target, brand_id or url is wrong, throws a TypeError that names
   * every fault, and the earlier iframe stays.
   */
  initialize(options: SBRendererOptions): void {
    // Without a prototype, so that a missing option is not one that another script added to Object.prototype.
    const own = { __proto__: null, ...options } as SBRendererOptions;
    const { target, brand_id, url = scriptOrigin.value, path = pageRoute() ?? undefined, ...live } = own;
    const point = checkMountPoint(target, brand_id, url);
    const checked = checkLive({ ...live, path });
    this.kill();
    this.#mount = mount(point, checked);
  }

  /**
   * Changes options, except target, brand_id and url. Changes wait until the sportsbook is ready. Then the last value
   * of each option counts.
   */
  updateOptions(options: SBRendererLiveOptions): void {
    this.#mounted()?.update(checkLive(options));
  }

  /** Shows a route inside the sportsbook. It must begin with exactly one `/`. */
  navigate(path: string): void {
    this.updateOptions({ path });
  }

  /** Makes the sportsbook read the balance again. Call it after a deposit or withdrawal on the merchant's site. */
  refreshBalance(): void {
    this.#mounted()?.refreshBalance();
  }

  /** Removes the iframe and every listener. May be called again. */
  kill(): void {
    this.#mount?.kill();
    this.#mount = undefined;
  }

  #mounted(): Mount | undefined {
    if (!this.#mount) warn("initialize first");
    return this.#mount;
  }
}
