import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { RoundPosition } from "../../ports/transactions/round-store.ts";
import { refuseFaults } from "../admin/changes.ts";
import { findMerchant } from "../admin/find-merchant.ts";
import { readCursor, writeCursor } from "../merchant/cursor.ts";
import type { ListedRound, Rounds } from "../rounds/rounds.ts";
import type { Settings } from "../runtime/settings.ts";

const LIMIT = { standard: 50, max: 200 };
const LISTING = "rounds of a merchant";

interface RoundsRequest {
  /** The merchant's code. */
  readonly merchant: string;
  /** open or ended; empty: open. */
  readonly state: string;
  readonly olderThanMs: number;
  /** 0 means 50. */
  readonly limit: number;
  readonly cursor: string;
}

/** Shows the rounds of a merchant that are open or have ended. */
export class ShowRounds {
  readonly #rounds: Rounds;
  readonly #settings: Settings;

  constructor(rounds: Rounds, settings: Settings) {
    this.#rounds = rounds;
    this.#settings = settings;
  }

  /** A page of rounds. Refusals: VALIDATION_ERROR, RECORD_NOT_FOUND (`merchant`). Throws StoreUnavailable. */
  async list({
    merchant: code,
    state: asked,
    olderThanMs,
    limit,
    cursor,
  }: RoundsRequest): Promise<Result<{ readonly items: readonly ListedRound[]; readonly nextCursor: string }>> {
    const state = asked === "" || asked === "open" ? "open" : asked === "ended" ? "ended" : undefined;
    const after = cursor === "" ? undefined : positionIn(readCursor(LISTING, code, cursor), state);
    const faults = [
      ...(state === undefined ? [fieldFault("state", "open or ended")] : []),
      ...(limit > LIMIT.max ? [fieldFault("limit", `1 to ${LIMIT.max}`)] : []),
      ...(cursor !== "" && after === undefined ? [fieldFault("cursor", "a next_cursor of this listing")] : []),
    ];
    if (faults.length > 0 || state === undefined) return refuseFaults(faults);
    const merchant = await findMerchant(this.#settings, code);
    if (!merchant.ok) return merchant;
    const openedBefore = olderThanMs === 0 ? undefined : this.#settings.databaseNow() - olderThanMs;
    const { items, next } = await this.#rounds.list(
      { merchantId: merchant.value.id, state, openedBefore, after },
      limit === 0 ? LIMIT.standard : limit,
    );
    return ok({ items, nextCursor: next === null ? "" : writeCursor(LISTING, code, partsOf(state, next)) });
  }
}

const partsOf = (state: string, { at, openedAt, providerId, roundId }: RoundPosition): readonly string[] => [
  state,
  String(at),
  String(openedAt),
  String(providerId),
  roundId,
];

/** `undefined`: the cursor is not of this listing. */
function positionIn(parts: ReturnType<typeof readCursor>, state: string | undefined): RoundPosition | undefined {
  const [ofState, at, openedAt, providerId, roundId] = parts ?? [];
  const numbers = [at, openedAt, providerId].map((part) => (/^\d{1,15}$/.test(String(part)) ? Number(part) : -1));
  const [time = -1, opened = -1, provider = -1] = numbers;
  if (ofState !== state || typeof roundId !== "string" || numbers.includes(-1)) return undefined;
  return { at: time, openedAt: opened, providerId: provider, roundId };
}
