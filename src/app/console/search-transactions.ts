import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import {
  isOwnTxId,
  isPlayerId,
  isRoundId,
  type ProviderCode,
  type TxId,
  wireTxId,
} from "../../domain/values/identifiers.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import {
  type Beginning,
  MATCHES,
  type Match,
  type Matched,
  type TransactionSearch,
} from "../../ports/transactions/transaction-search.ts";
import { type AdminRequest, auditEntry, refuseFaults } from "../admin/changes.ts";
import { findMerchant } from "../admin/find-merchant.ts";
import type { Settings } from "../runtime/settings.ts";

const LIMIT = { standard: 20, max: 100 };
const TEXT_MAX_BYTES = 512;
/** The maximum of merchants in one search, because a search over more merchants would take seconds. */
const MERCHANTS_MAX = 1_024;
/** With more pairs of merchants and providers, what begins with a provider's own id would take seconds to find. */
const OWN_IDS_MAX = 1_024;

export interface Search {
  readonly text: string;
  /** A merchant's code; empty: all merchants. */
  readonly merchant: string;
  /** The maximum for each kind of match. 0 means 20. */
  readonly limit: number;
}

export interface SearchResult {
  readonly hits: readonly Match[];
  /** Whether some kind has more matches than the limit. */
  readonly more: boolean;
  /** Only if there is no hit: what begins with the text, in upper or lower case. */
  readonly beginnings: readonly (Omit<Beginning, "merchantId"> & { readonly merchant: string })[];
}

/** Finds transactions by one text, which may be an id, a round or a player. */
export class SearchTransactions {
  readonly #search: TransactionSearch;
  readonly #audit: AdminStore;
  readonly #settings: Settings;

  constructor(search: TransactionSearch, audit: AdminStore, settings: Settings) {
    this.#search = search;
    this.#audit = audit;
    this.#settings = settings;
  }

  /**
   * Finds transactions by an id, round or player. Refusals: VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`). Throws
   * StoreUnavailable.
   */
  async find(request: AdminRequest, { text, merchant, limit: asked }: Search): Promise<Result<SearchResult>> {
    const faults = [
      ...(text.trim() !== "" && Buffer.byteLength(text) <= TEXT_MAX_BYTES
        ? []
        : [fieldFault("text", `1 to ${TEXT_MAX_BYTES} bytes`)]),
      ...(asked <= LIMIT.max ? [] : [fieldFault("limit", `1 to ${LIMIT.max}`)]),
    ];
    if (faults.length > 0) return refuseFaults(faults);
    const merchantIds = await this.#merchantIds(merchant);
    if (!merchantIds.ok) return merchantIds;
    const limit = asked === 0 ? LIMIT.standard : asked;
    const target = merchant === "" ? "all merchants" : `merchant ${merchant}`;
    await this.#audit.record(auditEntry(request, "transaction search", target, [{ field: "text", to: text }]));
    const wanted = {
      txIds: this.#wireIds(text),
      roundId: isRoundId(text) ? text : "",
      playerId: isPlayerId(text) ? text : "",
    };
    const found = await this.#search.find(merchantIds.value, wanted, limit + 1);
    const byKind = MATCHES.map((kind) => found.filter(({ matched }) => matched === kind).sort(newestFirst));
    const beginnings = found.length > 0 ? [] : await this.#beginnings(merchantIds.value, text);
    return ok({
      beginnings,
      hits: byKind.flatMap((matches) => matches.slice(0, limit)),
      more: byKind.some((matches) => matches.length > limit),
    });
  }

  /** The database compares byte by byte, so the text is looked for in the cases that people write. */
  async #beginnings(merchantIds: readonly number[], text: string): Promise<SearchResult["beginnings"]> {
    const providers = this.#settings.providers().map(({ code }) => code);
    const starts = startsOf(text, merchantIds.length * providers.length > OWN_IDS_MAX ? [] : providers);
    const found = await this.#search.beginningWith(merchantIds, starts, LIMIT.standard);
    const codes = new Map(this.#settings.merchants().map(({ id, code }) => [id, code]));
    return found
      .slice(0, LIMIT.standard)
      .map(({ merchantId, ...one }) => ({ ...one, merchant: codes.get(merchantId) ?? "" }));
  }

  /** The wire ids that the text may mean: the text itself, or the text as the own id of any provider. */
  #wireIds(text: string): TxId[] {
    const own = isOwnTxId(text) ? this.#settings.providers().map(({ code }) => wireTxId(code, text)) : [];
    return isRoundId(text) && text.includes(":") ? [text as TxId, ...own] : own;
  }

  async #merchantIds(code: string): Promise<Result<readonly number[]>> {
    if (code === "") {
      const all = this.#settings.merchants().map(({ id }) => id);
      return all.length <= MERCHANTS_MAX
        ? ok(all)
        : refuseFaults([fieldFault("merchant", `one merchant, because there are more than ${MERCHANTS_MAX}`)]);
    }
    const merchant = await findMerchant(this.#settings, code);
    return merchant.ok ? ok([merchant.value.id]) : merchant;
  }
}

/**
 * What ids, rounds and players may begin with, for a text in any of the cases that people write.
 *
 * @param providers - the providers as whose own id the text is taken.
 */
export function startsOf(
  text: string,
  providers: readonly ProviderCode[],
): Readonly<Record<Matched, readonly string[]>> {
  const cases = casesOf(text);
  const [provider = "", ...rest] = text.split(":");
  const wireIds = rest.length === 0 ? [] : casesOf(rest.join(":")).map((id) => `${provider.toUpperCase()}:${id}`);
  const ownIds = cases.filter(isOwnTxId).flatMap((id) => providers.map((code) => wireTxId(code, id)));
  return {
    tx_id: [...new Set([...wireIds.filter(isRoundId), ...ownIds])],
    round_id: cases.filter(isRoundId),
    player_id: cases.filter(isPlayerId),
  };
}

/** A text in the cases that people write: as it is, small, capital, with a capital at the beginning. */
function casesOf(text: string): string[] {
  const [first = "", ...rest] = text;
  return [...new Set([text, text.toLowerCase(), text.toUpperCase(), first.toUpperCase() + rest.join("")])];
}

const newestFirst = (a: Match, b: Match): number =>
  b.transaction.createdAt - a.transaction.createdAt || (b.id > a.id ? 1 : -1);
