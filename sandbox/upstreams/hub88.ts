import { randomUUID } from "node:crypto";
import { CURRENCIES } from "../../contract/values/currencies.ts";
import type { Method, WalletAnswer, WalletRequest } from "../provider/wallet-client.ts";
import { type Send, type Surroundings, UpstreamCashier } from "./cashier.ts";
import { HUB_SCALE, type HubCall, type HubLaunch, type HubWire } from "./wire/hub88.ts";

const CALLS: Readonly<Record<Method, HubCall>> = {
  GetBalance: "balance",
  PlaceBet: "bet",
  PayWin: "win",
  RefundBet: "rollback",
  RollbackWin: "rollback",
};
/** The words of our games for the statuses that a player must understand. */
const REFUSALS: Readonly<Record<string, string>> = {
  RS_ERROR_NOT_ENOUGH_MONEY: "INSUFFICIENT_FUNDS",
  RS_ERROR_USER_DISABLED: "PLAYER_BLOCKED",
};

export class Hub88Cashier extends UpstreamCashier {
  readonly #wire: HubWire;
  readonly #launch: HubLaunch;

  constructor(wire: HubWire, launch: HubLaunch, connector: string, around: Surroundings) {
    super(connector, launch.game_code, around);
    this.#wire = wire;
    this.#launch = launch;
  }

  protected say(method: Method, request: WalletRequest, send: Send): Promise<string> {
    const { user, token, game_code, currency } = this.#launch;
    const call = CALLS[method];
    const { tx_id = "", round_id = "", amount_minor = 0 } = request;
    const body = {
      user,
      token,
      request_uuid: randomUUID(),
      game_code,
      ...(call !== "balance" && {
        supplier_user: user,
        transaction_uuid: tx_id,
        supplier_transaction_id: tx_id,
        round: round_id,
        round_closed: call !== "bet",
        ...(call !== "bet" && { reference_transaction_uuid: this.betOf(request) }),
      }),
      ...((call === "bet" || call === "win") && {
        currency,
        amount: amount_minor * scaleOf(currency),
        is_free: false,
        is_aggregated: false,
      }),
    };
    return send(this.#wire.request(this.#wire.paths[call], JSON.stringify(body)));
  }

  protected read(answer: string): Pick<WalletAnswer, "status" | "error" | "balanceMinor"> {
    const { status, balance } = JSON.parse(answer) as { status: string; balance?: number };
    const balanceMinor = balance === undefined ? null : balance / scaleOf(this.#launch.currency);
    if (status === "RS_OK") return { status: "success", error: "", balanceMinor };
    // After an unclear bet Hub88 rolls back; a win is repeated.
    if (status === "RS_ERROR_UNKNOWN") return { status: "lost", error: status, balanceMinor };
    return { status: "refused", error: REFUSALS[status] ?? status, balanceMinor };
  }
}

/** How many units of the wire a minor unit is. */
const scaleOf = (currency: string): number => HUB_SCALE / 10 ** CURRENCIES[currency as "BRL"].digits;
