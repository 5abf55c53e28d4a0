import { Refused } from "../http/page-server.ts";

/** The part of GET /v1/merchant that a page with the sportsbook needs. */
export interface MerchantReply {
  readonly brand: string;
  readonly sportsbook: { readonly url: string | null; readonly integrity_url: string | null };
}

/** The data with which the page embeds the sportsbook. */
export interface EmbeddedSportsbook {
  readonly brand_id: string;
  /** The script of one version, whose content never changes, and its hash for the script tag's `integrity`. */
  readonly script_url: string;
  readonly integrity: string;
}

const TIMEOUT_MS = 5_000;

/** Finds the library's current version. Throws {@link Refused} when there is no sportsbook or it can't be reached. */
export async function readSportsbook({ brand, sportsbook }: MerchantReply): Promise<EmbeddedSportsbook> {
  if (sportsbook.url === null || sportsbook.integrity_url === null)
    throw new Refused(404, "NO_SPORTSBOOK", "The service has no sportsbook.");
  try {
    const response = await fetch(sportsbook.integrity_url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { versioned } = (await response.json()) as { versioned: { url: string; integrity: string } };
    return {
      brand_id: brand,
      script_url: new URL(versioned.url, sportsbook.integrity_url).href,
      integrity: versioned.integrity,
    };
  } catch {
    throw new Refused(503, "SPORTSBOOK_UNREACHABLE", "The sportsbook does not answer. Is it running?");
  }
}
