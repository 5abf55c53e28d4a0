/** Spribe's wallet API: JSON bodies signed over time, path and body, integer amounts, always HTTP 200. */
import { isCurrency } from "../../src/domain/values/money.ts";
import { Deadline } from "../frame/deadline.ts";
import { type Amount, readAmount, toInteger, writeJson } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { TX_ID_MAX } from "../frame/ids.ts";
import { FieldFault, Fields, parseJson } from "../frame/json.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import { type Outcome, outcome } from "../frame/verdict.ts";
import { hmac, sameText } from "../frame/verify.ts";
import { type Call, CODES, type Code, MESSAGES } from "./codes.ts";
import type { VARIABLES } from "./settings.ts";

/** An amount on the wire is the major unit times 1 000. */
const SHIFT = 3;
const ROUTE = /\/(auth|info|withdraw|deposit|rollback)$/;

/** What a deposit is for, by its `action`. An action that is not here is an ordinary win. */
const KINDS: Readonly<Record<string, string>> = { freebet: "free_rounds", rain: "promo" };

class Refused extends Refusal<Code> {}

type Handler = (fields: Fields, deadline: Deadline) => Promise<WireAnswer>;

/** What Spribe signs: the time, the path as it has called it, and the body. */
export const signatureOf = (secret: string, time: string, target: string, body: Uint8Array): string =>
  hmac("sha256", secret, Buffer.concat([Buffer.from(`${time}${target}`), body]));

export class SpribeApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
  }

  async answer({ method, path, target, header, body, hasHungUp }: WireRequest): Promise<WireAnswer | undefined> {
    const { SPRIBE_TIMEOUT_MS, SPRIBE_SECRET, SPRIBE_OPERATOR, SPRIBE_PATH_PREFIX } = this.#parts.settings;
    const route = ROUTE.exec(path)?.[1] ?? "";
    const handler = this.#routes[route];
    if (handler === undefined || method !== "POST") return undefined;
    const deadline = new Deadline(SPRIBE_TIMEOUT_MS, { hasHungUp });
    const answer = await answering<Code>(500, refusal, async () => {
      if (body === undefined) throw new Refused(500);
      const time = header("x-spribe-client-ts");
      const right = signatureOf(SPRIBE_SECRET, time, `${SPRIBE_PATH_PREFIX}${target}`, body);
      const isClient = sameText(header("x-spribe-client-id"), SPRIBE_OPERATOR);
      if (!sameText(header("x-spribe-client-signature"), right) || !isClient) throw new Refused(413);
      return handler(new Fields(parseJson(body)), deadline);
    });
    return { ...answer, route: `/${route}` };
  }

  failure(): WireAnswer {
    return refusal(500);
  }

  readonly #routes: Readonly<Record<string, Handler>> = {
    /** From now on Spribe's own token names the session, too. A repeat does the same again. */
    auth: async (fields, deadline) => {
      const { desk, store } = this.#parts;
      const session = await store.session(fields.text("user_token", 200));
      if (session === undefined) throw new Refused(401);
      if ((fields.optionalText("currency", 8) ?? session.currency) !== session.currency) throw new Refused(500);
      const ownToken = fields.text("session_token", 200);
      const verdict = await desk.touch(session, deadline);
      const found = verdict === "ok" ? await desk.sessionBalance(session, session.game, deadline) : outcome(verdict);
      if (found.verdict === "ok") {
        await store.addSession(session, ownToken);
        // The token of a session is good for one player for ever.
        if ((await store.session(ownToken))?.alias !== session.alias) throw new Refused(401);
      }
      return settled("balance", found, session, (balance) => ({ ...about(session), username: session.alias, balance }));
    },
    info: async (fields, deadline) => {
      const session = await this.#session(fields);
      const found = await this.#parts.desk.sessionBalance(session, session.game, deadline);
      return settled("balance", found, session, (balance) => ({ ...about(session), username: session.alias, balance }));
    },
    withdraw: async (fields, deadline) => {
      const money = moneyOf(fields);
      const session = await this.#session(fields);
      const found = await this.#parts.desk.bet({ ...money, session }, deadline);
      return moved("withdraw", found, session, fields, -money.amount.minor);
    },
    deposit: async (fields, deadline) => {
      const money = moneyOf(fields);
      const player = await this.#player(fields);
      const betTxId = fields.optionalText("withdraw_provider_tx_id", TX_ID_MAX);
      const labels: Labels = { kind: KINDS[fields.label("action") ?? ""] ?? "" };
      const win = { ...money, player, labels, ...(betTxId !== undefined && { betTxId, settles: true }) };
      const found = await this.#parts.desk.win(win, deadline);
      return moved("deposit", found, player, fields, money.amount.minor);
    },
    rollback: async (fields, deadline) => {
      const player = await this.#player(fields);
      const txId = fields.text("provider_tx_id", TX_ID_MAX);
      const refTxId = fields.text("rollback_provider_tx_id", TX_ID_MAX);
      const amountMinor = amountOf(fields, player.currency).minor;
      // The round and the game are not passed on: a wrong one must not keep the player's money.
      const names = { player, game: player.game, txId, refTxId, amountMinor, unlessSettled: true, onlyBet: true };
      const found = await this.#parts.desk.reverse(names, deadline);
      if (found.verdict === "ok" && found.what !== "bet") throw new Refused(408);
      return moved("rollback", found, player, fields, amountMinor);
    },
  };

  /** The session of a call that may be refused, which must be the user's own. */
  async #session(fields: Fields): Promise<Session> {
    const session = await this.#parts.store.session(fields.text("session_token", 200));
    if (session === undefined || session.alias !== fields.text("user_id", 64)) throw new Refused(401);
    if ((fields.optionalText("currency", 8) ?? session.currency) !== session.currency) throw new Refused(500);
    return session;
  }

  /** The player of a settlement, whose session may be over. A session of another player is refused. */
  async #player(fields: Fields): Promise<Player> {
    const { store } = this.#parts;
    const userId = fields.text("user_id", 64);
    const token = fields.optionalText("session_token", 200);
    const session = token === undefined ? undefined : await store.session(token);
    const player = session ?? (await store.player(userId));
    if (player === undefined || player.alias !== userId) throw new Refused(401);
    if ((fields.optionalText("currency", 8) ?? player.currency) !== player.currency) throw new Refused(500);
    return player;
  }
}

function moneyOf(fields: Fields) {
  const currency = fields.text("currency", 8);
  const txId = fields.text("provider_tx_id", TX_ID_MAX);
  const roundId = fields.text("action_id", 128);
  return { txId, roundId, game: fields.text("game", 128), currency, amount: amountOf(fields, currency) };
}

function amountOf(fields: Fields, currency: string): Amount {
  const amount = readAmount(fields.integer("amount"), isCurrency(currency) ? currency : "", SHIFT);
  if (amount === undefined) throw new FieldFault("type", "amount");
  return amount;
}

const about = ({ alias, currency }: Player) => ({ user_id: alias, currency });

/** The answer to a call that moves money, by `delta`. A transaction that was done before is a duplicate. */
const moved = (call: Call, found: Outcome, player: Player, fields: Fields, delta: bigint): WireAnswer =>
  settled(
    call,
    found,
    player,
    (balance, minor) => ({
      ...about(player),
      operator_tx_id: found.wireId || fields.text("provider_tx_id"),
      provider: fields.label("provider"),
      provider_tx_id: fields.text("provider_tx_id"),
      old_balance: toInteger(found.before ?? minor - delta, player.currency, SHIFT),
      new_balance: balance,
    }),
    found.replayed ? 409 : 200,
  );

/** The answer to an outcome. A success must say the balance, so without one nobody can say more than "unclear". */
function settled(
  call: Call,
  { verdict, balance }: Outcome,
  { currency }: Player,
  data: (balance: bigint, minor: bigint) => object,
  success: 200 | 409 = 200,
): WireAnswer {
  const code = CODES[call][verdict];
  if (code !== 200) return refusal(code);
  if (balance === undefined) return refusal(500);
  return written(success, { data: data(toInteger(balance, currency, SHIFT), balance) });
}

const written = (code: Code, more: object): WireAnswer => ({
  status: String(code),
  body: writeJson({ code, message: MESSAGES[code], ...more }),
});

const refusal = (code: Code): WireAnswer => written(code, {});
