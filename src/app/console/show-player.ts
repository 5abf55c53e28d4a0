import { ok, type Result } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isPlayerId } from "../../domain/values/identifiers.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { PlayerFindings, PlayerMoney } from "../../ports/transactions/player-money.ts";
import { type AdminRequest, auditEntry, refuseFaults } from "../admin/changes.ts";
import { findMerchant } from "../admin/find-merchant.ts";
import type { Settings } from "../runtime/settings.ts";

/** Identifies a player. */
interface PlayerName {
  /** The merchant's code. */
  readonly merchant: string;
  /** The merchant's own id of the player. */
  readonly player: string;
}

/** Shows what may be wrong with a player's money. */
export class ShowPlayer {
  readonly #money: PlayerMoney;
  readonly #audit: AdminStore;
  readonly #settings: Settings;

  constructor(money: PlayerMoney, audit: AdminStore, settings: Settings) {
    this.#money = money;
    this.#audit = audit;
    this.#settings = settings;
  }

  /**
   * The transactions of a player that are not in order, and the newest known balance. Refusals: VALIDATION_ERROR,
   * RECORD_NOT_FOUND (`merchant`). Throws StoreUnavailable.
   */
  async show(
    request: AdminRequest,
    { merchant: code, player }: PlayerName,
  ): Promise<Result<PlayerFindings & { readonly merchant: Merchant }>> {
    if (!isPlayerId(player))
      return refuseFaults([fieldFault("player", "1 to 128 characters: the merchant's own id of a player")]);
    const merchant = await findMerchant(this.#settings, code);
    if (!merchant.ok) return merchant;
    await this.#audit.record(auditEntry(request, "transaction player", `player ${code} ${player}`, []));
    return ok({ ...(await this.#money.find(merchant.value.id, player)), merchant: merchant.value });
  }
}
