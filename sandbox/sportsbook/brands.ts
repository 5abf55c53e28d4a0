import type { IncomingMessage } from "node:http";
import { ODDS_FORMATS, type OddsFormat, type Refusal } from "../../web-renderer/protocol.ts";
import { Refused } from "../http/page-server.ts";
import { ServiceRefusal, type SportsbookClient } from "./service-client.ts";

/** The look of a brand's page, and the origins that may frame it. */
export interface BrandLook {
  readonly theme: string;
  readonly layout: string;
  /** The language of visitors: pt, es or en. */
  readonly language: string;
  readonly odds_format: OddsFormat;
  readonly allowed_origins: readonly string[] | "any";
}

/**
 * A brand is read from the service at most once within this time, even if many pages open. So a change of a brand is
 * visible after this time at the latest.
 */
const FRESH_MS = 2_000;
const BRANDS_MAX = 1_000;

export class Brands {
  readonly #client: SportsbookClient;
  readonly #development: boolean;
  readonly #known = new Map<string, { readonly until: number; readonly look: Promise<BrandLook> }>();

  constructor(client: SportsbookClient, development: boolean) {
    this.#client = client;
    this.#development = development;
  }

  /** Throws {@link Refused}: 404 when there is no such brand, 503 when the service can't be reached. */
  look(brandId: string): Promise<BrandLook> {
    const known = this.#known.get(brandId);
    if (known !== undefined && known.until > Date.now()) return known.look;
    const look = this.#ask(brandId);
    if (this.#known.size >= BRANDS_MAX) this.#known.clear();
    this.#known.set(brandId, { until: Date.now() + FRESH_MS, look });
    look.catch(() => this.#known.delete(brandId));
    return look;
  }

  /** The CSP source list of the origins that may frame a page of this brand. If the brand can't be read: none. */
  async frameAncestors(brandId: string): Promise<string> {
    if (brandId === "") return "'none'";
    const look = await this.look(brandId).catch((error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    });
    if (look === undefined) return "'none'";
    if (look.allowed_origins === "any") return "*";
    return look.allowed_origins.length === 0 ? "'none'" : look.allowed_origins.join(" ");
  }

  /**
   * The reason why the page that sent this request may not frame a page of this brand. undefined: it may frame the
   * page, or the browser does not send which page frames it. In the second case the Content-Security-Policy decides.
   */
  async refusal(brandId: string, { headers }: IncomingMessage): Promise<Refusal | undefined> {
    if (headers["sec-fetch-dest"] !== "iframe" || headers.referer === undefined) return undefined;
    try {
      const { allowed_origins } = await this.look(brandId);
      const origin = URL.parse(headers.referer)?.origin ?? "";
      return allowed_origins === "any" || allowed_origins.includes(origin) ? undefined : "ORIGIN_NOT_ALLOWED";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return error.status === 404 ? "BRAND_UNKNOWN" : "UNAVAILABLE";
    }
  }

  async #ask(brandId: string): Promise<BrandLook> {
    try {
      const { theme, layout, default_language, odds, allowed_origins } = await this.#client.getBrand(brandId);
      const anyone = allowed_origins.length === 0 && this.#development;
      return {
        theme,
        layout,
        language: default_language.slice(0, 2) || "pt",
        odds_format: ODDS_FORMATS.find((format) => format === odds) ?? "decimal",
        allowed_origins: anyone ? "any" : allowed_origins,
      };
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error;
      if (error.again) throw new Refused(503, error.code, "The aggregator does not answer.");
      throw new Refused(404, "BRAND_NOT_FOUND", "There is no such brand.");
    }
  }
}
