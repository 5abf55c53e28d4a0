import { ok, type Result, refuse } from "../../domain/errors.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { isPlayerId } from "../../domain/values/identifiers.ts";
import type { AdminStore } from "../../ports/admin-store.ts";
import type { Ping, WalletPing } from "../../ports/wallet-ping.ts";
import type { RateLimits } from "../capacity/rate-limits.ts";
import type { Settings } from "../runtime/settings.ts";
import { type AdminRequest, auditEntry, reasonFaults, refuseFaults } from "./changes.ts";
import type { Merchants } from "./merchants.ts";
import { type PingFinding, pingFinding } from "./ping-finding.ts";

export interface PingResult {
  readonly ping: Ping;
  readonly finding: PingFinding;
}

/** Tests a merchant's wallet with one signed balance query, without any session. */
export class PingWallet {
  readonly #merchants: Merchants;
  readonly #audit: AdminStore;
  readonly #settings: Settings;
  readonly #rateLimits: RateLimits;
  readonly #wallet: WalletPing;

  constructor(merchants: Merchants, audit: AdminStore, settings: Settings, rateLimits: RateLimits, wallet: WalletPing) {
    this.#merchants = merchants;
    this.#audit = audit;
    this.#settings = settings;
    this.#rateLimits = rateLimits;
    this.#wallet = wallet;
  }

  /**
   * Pings the wallet of a merchant, which may be disabled. The ping is written to the audit log before it is sent,
   * because it may show a balance.
   */
  async ping(request: AdminRequest, code: string, player: string): Promise<Result<PingResult>> {
    const faults = reasonFaults(request);
    if (!isPlayerId(player))
      faults.push(fieldFault("player", "1 to 128 characters: the merchant's own id of a player"));
    if (faults.length > 0 || !isPlayerId(player)) return refuseFaults(faults);
    const found = await this.#merchants.get(code);
    if (!found.ok) return found;
    const merchant = found.value;
    if (!this.#rateLimits.ping(merchant).allowed) return refuse("RATE_LIMITED");
    const target = this.#settings.walletTarget(merchant.id);
    await this.#audit.record(
      auditEntry(request, "merchant ping", `player ${code} ${player}`, [{ field: "wallet_url", to: target.walletUrl }]),
    );
    const ping = await this.#wallet.ping(target, player, merchant.currency);
    return ok({ ping, finding: pingFinding(ping, merchant.currency) });
  }
}
