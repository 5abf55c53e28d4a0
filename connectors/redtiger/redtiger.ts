/** Red Tiger's wallet API: JSON bodies, a key in a header, and a token that each `auth` replaces. */
import { Deadline } from "../frame/deadline.ts";
import { type Amount, microsOf, readAmount, toPlaces, writeJson } from "../frame/decimals.ts";
import type { Labels } from "../frame/desk.ts";
import { answering, Refusal } from "../frame/extras/refusal.ts";
import { Rounds } from "../frame/extras/rounds.ts";
import { derivedId } from "../frame/ids.ts";
import { FieldFault, Fields, parseJson } from "../frame/json.ts";
import { newToken } from "../frame/launch.ts";
import type { Parts } from "../frame/process.ts";
import type { WalletApi, WireAnswer, WireRequest } from "../frame/server.ts";
import type { Player, Session } from "../frame/state/store.ts";
import { type Outcome, outcome } from "../frame/verdict.ts";
import { sameText } from "../frame/verify.ts";
import { type Call, CODES, type Code, MESSAGES } from "./codes.ts";
import type { VARIABLES } from "./settings.ts";

/** Amounts are texts with two decimals. */
const PLACES = 2;
const TOKEN_MIN = 32;
const TOKEN_MAX = 128;
const ROUTE = /(?:^|\/)(auth|stake|payout|refund|promo\/(?:buyin|settle|refund))$/;

class Refused extends Refusal<Code> {}

type Handler = (fields: Fields, deadline: Deadline) => Promise<WireAnswer>;

/** The player of a call, and the session of its token. `session`: undefined for the token of calls without a session. */
interface Who {
  readonly token: string;
  readonly player: Player;
  readonly session: Session | undefined;
}

export class RedTigerApi implements WalletApi {
  readonly #parts: Parts<typeof VARIABLES>;
  readonly #rounds: Rounds;

  constructor(parts: Parts<typeof VARIABLES>) {
    this.#parts = parts;
    this.#rounds = new Rounds(parts);
  }

  async answer({ method, path, header, body, hasHungUp }: WireRequest): Promise<WireAnswer | undefined> {
    const { REDTIGER_TIMEOUT_MS, REDTIGER_API_KEY } = this.#parts.settings;
    const route = ROUTE.exec(path)?.[1] ?? "";
    const handler = this.#routes[route];
    if (handler === undefined || method !== "POST") return undefined;
    const deadline = new Deadline(REDTIGER_TIMEOUT_MS, { hasHungUp });
    const answer = await answering<Code>(200, refusal, async () => {
      if (!sameText(header("authorization").replace(/^Basic /, ""), REDTIGER_API_KEY)) throw new Refused(100);
      if (body === undefined) throw new Refused(200);
      return handler(new Fields(parseJson(body)), deadline);
    });
    return { ...answer, route: `/${route}` };
  }

  failure(): WireAnswer {
    return refusal(500);
  }

  readonly #routes: Readonly<Record<string, Handler>> = {
    auth: (...call) => this.#auth(...call),
    stake: (...call) => this.#stake(...call, false),
    payout: (...call) => this.#payout(...call, false),
    refund: (...call) => this.#refund(...call),
    "promo/buyin": (...call) => this.#stake(...call, true),
    "promo/settle": (...call) => this.#payout(...call, true),
    "promo/refund": (...call) => this.#refund(...call),
  };

  /** Replaces the token. The old one is refused for stakes. It gets a new token again, so a lost answer harms nothing. */
  async #auth(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const { token, session } = await this.#who(fields, fields.optionalText("userId", 36));
    if (session === undefined) throw new Refused(301);
    const { desk, store } = this.#parts;
    const verdict = await desk.touch(session, deadline);
    const found = verdict === "ok" ? await desk.sessionBalance(session, session.game, deadline) : outcome(verdict);
    const next = newToken();
    if (found.verdict === "ok") {
      await store.addSession(session, next);
      await store.replaceToken(token);
    }
    return settled("auth", found, session, (balance) => ({
      result: {
        token: next,
        currency: session.currency,
        userId: session.alias,
        casino: fields.label("casino", 50) ?? this.#parts.settings.REDTIGER_CASINO,
        country: session.country,
        language: session.language,
        balance,
      },
    }));
  }

  /** A stake, or the entry to a promotion. */
  async #stake(fields: Fields, deadline: Deadline, isPromo: boolean): Promise<WireAnswer> {
    const transaction = fields.object("transaction");
    const txId = idOf(transaction);
    const round = roundOf(fields, isPromo);
    const { token, session } = await this.#who(fields, fields.text("userId", 36));
    if (session === undefined || session.isReplaced) throw new Refused(301);
    const { currency } = session;
    const bet = {
      session,
      txId,
      roundId: round.id ?? txId,
      game: fields.object("game").text("key", 128),
      currency,
      amount: amountOf(transaction, "stake", currency),
      labels: { ...promoOf(fields), ...contributionOf(transaction) },
      roundEnded: round.ends,
    };
    this.#tellPromo(transaction, "stakePromo", txId);
    const found = await this.#parts.desk.bet(bet, deadline);
    if (found.verdict === "ok" && bet.amount.minor === 0n) await this.#rounds.noteFreeBet(session, bet.roundId);
    return settled("stake", found, session, (balance) => ({
      result: { token, currency, id: found.wireId || txId, stake: money(bet.amount.minor, session), balance },
    }));
  }

  /** A payout needs a stake of its round. The prize of a promotion does not, and it may have no round. */
  async #payout(fields: Fields, deadline: Deadline, isPromo: boolean): Promise<WireAnswer> {
    const transaction = fields.object("transaction");
    const round = roundOf(fields, isPromo);
    const { token, player } = await this.#who(fields, fields.text("userId", 36));
    const { currency } = player;
    const txId = idOf(transaction);
    const promo = promoOf(fields);
    const win = {
      player,
      txId,
      // A prize without a round belongs to its promotion.
      roundId: round.id ?? (promo.promoId === undefined ? txId : ""),
      game: fields.labels("game").optionalText("key", 128) ?? player.game,
      currency,
      amount: amountOf(transaction, "payout", currency),
      labels: { ...(isPromo && { kind: "promo" }), ...promo, ...jackpotOf(fields, transaction) },
      roundEnded: round.ends,
    };
    this.#tellPromo(transaction, "payoutPromo", txId);
    const found =
      round.id === undefined
        ? await this.#parts.desk.win(win, deadline)
        : await this.#rounds.settle(win, isPromo, deadline);
    return settled("payout", found, player, (balance) => ({
      result: { token, currency, id: found.wireId || txId, payout: money(win.amount.minor, player), balance },
    }));
  }

  /** A refund has the id of its stake, so its own id is derived. The amount that it names does not count. */
  async #refund(fields: Fields, deadline: Deadline): Promise<WireAnswer> {
    const refTxId = idOf(fields.object("transaction"));
    const { token, player } = await this.#who(fields, fields.text("userId", 36));
    const { currency } = player;
    const { desk } = this.#parts;
    const txId = derivedId("refund:", refTxId);
    // The round and the game are not passed on: a wrong one must not keep the player's money.
    const names = { player, game: player.game, txId, refTxId, unlessSettled: true, onlyBet: true };
    const found = await desk.reverse(names, deadline);
    if (found.verdict === "ok" && found.what !== "bet") throw new Refused(400);
    const minor = (await desk.record(refTxId, player, deadline))?.amountMinor ?? 0n;
    return settled("refund", found, player, (balance) => ({
      result: { token, currency, id: found.wireId || txId, stake: money(minor, player), balance },
      balance,
      currency,
    }));
  }

  /** The player of a call, whose user id and currency must be the token's own. An old token is good for settlements. */
  async #who(fields: Fields, userId: string | undefined): Promise<Who> {
    const { settings, store } = this.#parts;
    const token = fields.text("token", TOKEN_MAX);
    if (token.length < TOKEN_MIN) throw new FieldFault("type", "token");
    const isRecon = sameText(token, settings.REDTIGER_RECON_TOKEN);
    const session = isRecon ? undefined : await store.session(token);
    const player = isRecon ? await store.player(userId ?? "") : session;
    if (player === undefined || (userId !== undefined && userId !== player.alias)) throw new Refused(301);
    if ((fields.optionalText("currency", 8) ?? player.currency) !== player.currency) throw new Refused(305);
    return { token, player, session };
  }

  /** The wallet has no purse for promotions, so people must know that Red Tiger uses one. */
  #tellPromo(transaction: Fields, name: string, tx: string): void {
    const amount = transaction.label(name) ?? "0";
    if (/[1-9]/.test(amount)) this.#parts.watch.alert("promo_money", { tx, [name]: amount });
  }
}

/** The ids of Red Tiger have at most 32 characters. */
const idOf = (fields: Fields): string => fields.text("id", 32);

function amountOf(fields: Fields, name: string, currency: string): Amount {
  const amount = readAmount(fields.text(name, 40), currency);
  if (amount === undefined) throw new FieldFault("type", name);
  return amount;
}

/** Only a promotion may come without a round. */
function roundOf(fields: Fields, isPromo: boolean): { readonly id: string | undefined; readonly ends: boolean } {
  if (!isPromo) return { id: idOf(fields.object("round")), ends: fields.object("round").isTrue("ends") };
  const round = fields.labels("round");
  const id = round.label("id", 32);
  return { id, ends: id !== undefined && round.isTrue("ends") };
}

function promoOf(fields: Fields): Labels {
  const promo = fields.labels("promo");
  const promoId = promo.label("instanceCode") ?? promo.label("campaignCode");
  return promoId === undefined ? {} : { promoId };
}

/** The part of a stake that goes to a jackpot. */
function contributionOf(transaction: Fields): Labels {
  const micros = microsOf(transaction.labels("details").label("jackpot") ?? "");
  return micros > 0n ? { jackpotContributionMicros: micros } : {};
}

/** A payout with a part out of a jackpot is a win of it. */
function jackpotOf(fields: Fields, transaction: Fields): Labels {
  if (microsOf(transaction.labels("details").label("jackpot") ?? "") === 0n) return {};
  const id = fields.labels("jackpot").label("group");
  return { kind: "jackpot", ...(id !== undefined && { jackpot: { id } }) };
}

const money = (minor: bigint, { currency }: Player) => ({
  cash: toPlaces(minor, currency, PLACES),
  bonus: toPlaces(0n, currency, PLACES),
});

/** The answer to an outcome. A success must say the balance, so without one nobody can say more than "unclear". */
function settled(
  call: Call,
  { verdict, balance }: Outcome,
  player: Player,
  success: (balance: ReturnType<typeof money>) => object,
): WireAnswer {
  const code = CODES[call][verdict];
  if (code !== 0) return refusal(code);
  if (balance === undefined) return refusal(500);
  return { status: "ok", body: writeJson({ success: true, ...success(money(balance, player)) }) };
}

const refusal = (code: Code): WireAnswer => ({
  http: code === 100 ? 401 : 400,
  status: String(code),
  body: writeJson({ success: false, error: { code, message: MESSAGES[code] } }),
});
