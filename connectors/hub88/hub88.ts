/**
 * Hub88's operator API, and Caleta's, which is of the same family. The differences between them are one table
 * (dialects.ts).
 */

import { Deadline } from "../frame/deadline.ts";
import { type Amount, readAmount, toInteger, writeJson } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { Refusal } from "../frame/extras/refusal.ts";
import { TX_ID_MAX } from "../frame/ids.ts";
import { FieldFault, Fields, JsonFault, parseJson } from "../frame/json.ts";
import { newToken } from "../frame/launch.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import type { Outcome } from "../frame/verdict.ts";
import { rsaVerifies } from "../frame/verify.ts";
import type { Dialect, FamilySettings, FamilyVariables } from "./dialects.ts";
import type { Call, Status } from "./statuses.ts";

/** An amount on the wire is the major unit times 100 000. */
const SHIFT = 5;

/** What of a request an answer repeats, even if the request is wrong. */
interface Echo {
  readonly user?: string | undefined;
  readonly request_uuid?: string | undefined;
}

class Refused extends Refusal<Status> {}

interface Answered extends WireAnswer {
  readonly status: Status;
}

export class Hub88Api implements WalletApi {
  readonly #dialect: Dialect;
  readonly #parts: Parts<FamilyVariables>;
  readonly #settings: FamilySettings;

  constructor(dialect: Dialect, parts: Parts<FamilyVariables>, settings: FamilySettings) {
    this.#dialect = dialect;
    this.#parts = parts;
    this.#settings = settings;
  }

  async answer(request: WireRequest): Promise<WireAnswer | undefined> {
    const route = this.#dialect.routes[request.path];
    if (route === undefined || request.method !== "POST") return undefined;
    const deadline = new Deadline(this.#settings.timeoutMs, request);
    const echo = echoOf(request.body);
    try {
      if (request.body === undefined) throw new Refused("RS_ERROR_WRONG_SYNTAX");
      if (!rsaVerifies(request.body, request.header(this.#dialect.header), this.#settings.publicKey))
        throw new Refused("RS_ERROR_INVALID_SIGNATURE");
      const fields = new Fields(parseJson(request.body));
      // Caleta's check needs none.
      if (route !== "check") fields.text("request_uuid");
      switch (route) {
        case "info":
          return await this.#info(fields, echo);
        case "check":
          return await this.#check(fields, echo);
        case "balance":
          return await this.#balance(fields, echo, deadline);
        case "bet":
          return await this.#bet(fields, echo, deadline);
        case "win":
          return await this.#win(fields, echo, deadline);
        case "rollback":
          return await this.#rollback(fields, echo, deadline);
      }
    } catch (cause) {
      if (cause instanceof Refused) return refusal(cause.answer, echo);
      if (cause instanceof JsonFault) return refusal("RS_ERROR_WRONG_SYNTAX", echo);
      if (cause instanceof FieldFault)
        return refusal(cause.kind === "missing" ? "RS_ERROR_WRONG_SYNTAX" : "RS_ERROR_WRONG_TYPES", echo);
      throw cause;
    }
  }

  failure({ body }: WireRequest): WireAnswer {
    return refusal("RS_ERROR_UNKNOWN", echoOf(body));
  }

  async #info(fields: Fields, echo: Echo): Promise<WireAnswer> {
    const player = await this.#player(fields.text("user"), undefined);
    const { subPartnerId } = this.#settings;
    return written("RS_OK", {
      ...echo,
      country: player.country,
      currency: player.currency,
      ...(subPartnerId !== "" && { sub_partner_id: subPartnerId }),
    });
  }

  /** Swaps the token of the launch for a new one. The old token stays good for settlements. */
  async #check(fields: Fields, echo: Echo): Promise<WireAnswer> {
    const token = fields.text("token");
    const session = await this.#session(token, userOf(fields));
    if (session.isReplaced) throw new Refused("RS_ERROR_INVALID_TOKEN");
    const next = newToken();
    await this.#parts.store.addSession(session, next);
    await this.#parts.store.replaceToken(token);
    return written("RS_OK", { ...echo, user: session.alias, token: next });
  }

  async #balance(fields: Fields, echo: Echo, deadline: Deadline): Promise<WireAnswer> {
    const session = await this.#session(fields.text("token"), userOf(fields));
    const game = fields.optionalText("game_code", 128) ?? session.game;
    const found = await this.#parts.desk.sessionBalance(session, game, deadline);
    return this.#settled("balance", found, session, echo);
  }

  async #bet(fields: Fields, echo: Echo, deadline: Deadline): Promise<WireAnswer> {
    const money = { ...moneyOf(fields), roundEnded: this.#endsRound(fields) };
    const session = await this.#session(fields.text("token"), userOf(fields));
    if (session.isReplaced) throw new Refused("RS_ERROR_INVALID_TOKEN");
    const result = await this.#parts.desk.bet({ ...money, session }, deadline);
    return this.#settled("bet", result, session, echo);
  }

  async #win(fields: Fields, echo: Echo, deadline: Deadline): Promise<WireAnswer> {
    const money = { ...moneyOf(fields), roundEnded: this.#endsRound(fields) };
    const betTxId = fields.text("reference_transaction_uuid", TX_ID_MAX);
    const player = await this.#player(userOf(fields), fields.optionalText("token"));
    const labels = labelsOf(fields);
    const found = await this.#parts.desk.win({ ...money, player, betTxId, labels }, deadline);
    return this.#settled("win", found, player, echo);
  }

  async #rollback(fields: Fields, echo: Echo, deadline: Deadline): Promise<WireAnswer> {
    const txId = fields.text("transaction_uuid", TX_ID_MAX);
    const refTxId = fields.text("reference_transaction_uuid", TX_ID_MAX);
    const player = await this.#player(userOf(fields), fields.optionalText("token"));
    // The game is not passed on: a wrong one must not keep the player's money.
    const { desk } = this.#parts;
    const found = await desk.reverse({ player, txId, refTxId, game: player.game }, deadline);
    const isDone = this.#dialect.statuses.rollback[found.verdict] === "RS_OK";
    const ended =
      isDone && this.#endsRound(fields)
        ? await desk.endRound(player, fields.text("round", 128), player.game, deadline)
        : undefined;
    // A rollback whose end of the round was not stored comes again.
    return this.#settled("rollback", ended !== undefined && ended.verdict !== "ok" ? ended : found, player, echo);
  }

  #endsRound(fields: Fields): boolean {
    return this.#settings.roundEnds && fields.isTrue("round_closed");
  }

  /** The session of a token, which must be the user's. */
  async #session(token: string, user: string | undefined): Promise<Session> {
    const session = await this.#parts.store.session(token);
    if (session === undefined || (user !== undefined && user !== session.alias))
      throw new Refused("RS_ERROR_INVALID_TOKEN");
    return session;
  }

  /** The player of a settlement, whose token is not checked. */
  async #player(user: string | undefined, token: string | undefined): Promise<Player> {
    if (user === undefined && token === undefined) throw new FieldFault("missing", "user");
    const { store } = this.#parts;
    const player = user === undefined ? await store.session(token ?? "") : await store.player(user);
    if (player === undefined) throw new Refused("RS_ERROR_INVALID_TOKEN");
    return player;
  }

  #settled(call: Call, { verdict, balance }: Outcome, { alias, currency }: Player, echo: Echo): Answered {
    const amount = balance === undefined ? undefined : toInteger(balance, currency, SHIFT);
    return written(this.#dialect.statuses[call][verdict], { ...echo, user: alias, currency, balance: amount });
  }
}

const written = (status: Status, answer: object): Answered => ({ status, body: writeJson({ ...answer, status }) });
const refusal = (status: Status, echo: Echo): Answered => written(status, echo);

/** Caleta has our user id in `supplier_user`; Hub88 has the supplier's own id there, and ours in `user`. */
const userOf = (fields: Fields): string | undefined =>
  fields.optionalText("user") ?? fields.optionalText("supplier_user");

function moneyOf(fields: Fields) {
  const txId = fields.text("transaction_uuid", TX_ID_MAX);
  const roundId = fields.text("round", 128);
  const game = fields.text("game_code", 128);
  const currency = fields.text("currency", 8);
  const amount = amountOf(fields.integer("amount"), currency);
  return { txId, roundId, game, currency, amount };
}

/** A win of free rounds names the reward that granted them. */
function labelsOf(fields: Fields): Labels {
  const promoId = fields.label("reward_uuid");
  const isFree = promoId !== undefined || fields.isTrue("is_free");
  return { ...(isFree && { kind: "free_rounds" }), ...(promoId !== undefined && { promoId }) };
}

function amountOf(text: string, currency: string): Amount {
  const amount = readAmount(text, currency, SHIFT);
  if (amount === undefined) throw new FieldFault("type", "amount");
  return amount;
}

/** `user` and `request_uuid`, if the body can be read so far. */
function echoOf(body: Buffer | undefined): Echo {
  try {
    const fields = new Fields(parseJson(body ?? Buffer.alloc(0)));
    return { user: userOf(fields), request_uuid: fields.optionalText("request_uuid") };
  } catch {
    return {};
  }
}
