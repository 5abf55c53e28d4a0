import { randomUUID } from "node:crypto";
import { CURRENCIES } from "../../contract/values/currencies.ts";
import type { Method, WalletAnswer, WalletRequest } from "../provider/wallet-client.ts";
import { type Send, type Surroundings, UpstreamCashier } from "./cashier.ts";
import { type EvolutionLaunch, evolutionWire } from "./wire/evolution.ts";

const CALLS: Readonly<Record<Method, string>> = {
  GetBalance: "balance",
  PlaceBet: "debit",
  PayWin: "credit",
  RefundBet: "cancel",
  RollbackWin: "cancel",
};
const SUCCESSES = ["OK", "BET_ALREADY_EXIST"];
const UNCLEAR = ["TEMPORARY_ERROR", "UNKNOWN_ERROR"];

export class EvolutionCashier extends UpstreamCashier {
  readonly #player: EvolutionLaunch["player"];
  readonly #table: string;
  /** The newest sid: `check` replaces it. */
  #sid: string;
  #isChecked = false;

  constructor({ player, config }: EvolutionLaunch, connector: string, around: Surroundings) {
    super(connector, config.game.table.id, around);
    this.#player = player;
    this.#table = config.game.table.id;
    this.#sid = player.session.id;
  }

  protected async say(method: Method, request: WalletRequest, send: Send): Promise<string> {
    const post = (call: string, fields: object) => {
      const who = { sid: this.#sid, userId: this.#player.id, uuid: randomUUID() };
      return send(evolutionWire.request(call, JSON.stringify({ ...who, ...fields })));
    };
    if (!this.#isChecked) {
      const { sid } = JSON.parse(await post("check", { channel: { type: "P" } })) as { sid?: string };
      if (sid !== undefined) this.#sid = sid;
      this.#isChecked = sid !== undefined;
    }
    const { currency } = this.#player;
    if (method === "GetBalance") return post("balance", { currency });
    const { tx_id = "", round_id = "", amount_minor = 0 } = request;
    // One credit settles the whole round.
    const refId = method === "PlaceBet" ? tx_id : this.betOf(request);
    return post(CALLS[method], {
      currency,
      game: { id: round_id, type: "roulette", details: { table: { id: this.#table, vid: this.#table } } },
      // A cancel has the id of its debit.
      transaction: { id: method === "PayWin" ? tx_id : `t-${refId}`, refId, amount: amount_minor / scaleOf(currency) },
    });
  }

  protected read(answer: string): Pick<WalletAnswer, "status" | "error" | "balanceMinor"> {
    const { status, balance } = JSON.parse(answer) as { status: string; balance?: number };
    const balanceMinor = balance === undefined ? null : Math.round(balance * scaleOf(this.#player.currency));
    if (SUCCESSES.includes(status)) return { status: "success", error: "", balanceMinor };
    if (UNCLEAR.includes(status)) return { status: "lost", error: status, balanceMinor };
    return { status: "refused", error: status === "ACCOUNT_LOCKED" ? "PLAYER_BLOCKED" : status, balanceMinor };
  }
}

const scaleOf = (currency: string): number => 10 ** CURRENCIES[currency as "BRL"].digits;
