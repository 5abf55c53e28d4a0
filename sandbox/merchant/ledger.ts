/**
 * The reference wallet of a merchant, without I/O. It shows what an integrator's wallet has to do with a callback, and
 * tests use it to check how the money really moved. Amounts are bigint minor units (cents; pesos for CLP).
 *
 * It is idempotent by tx_id, per merchant. Replies to applied transactions are kept, and so are rejections of bets and
 * rollbacks. A rejected win or refund is decided again when it comes again. TRANSACTION_NOT_FOUND is never kept.
 */

export type Action = "balance" | "bet" | "win" | "refund" | "rollback";
export type Currency = "BRL" | "MXN" | "ARS" | "COP" | "CLP" | "PEN" | "USD";

/** A reply's JSON. The balance is a number whose shortest text is the exact decimal. */
export type Reply = { readonly ok: true; readonly balance: number } | Rejection;

interface Rejection {
  readonly ok: false;
  readonly error: string;
  /** The player's balance, so that the game can show it. */
  readonly balance?: number;
}

/** One change of one balance. */
export interface Effect {
  readonly merchant: string;
  readonly player: string;
  readonly txId: string;
  readonly action: Exclude<Action, "balance">;
  /** The change of the balance. Negative for bets and rollbacks. */
  readonly deltaMinor: bigint;
  readonly roundId: string;
  readonly refTxId: string | null;
}

/** The ways in which wallets may differ. The tests run with each. */
export interface LedgerRules {
  /** Whether a transaction that a reversal did not find is refused when it comes later. */
  readonly tombstones: boolean;
  /** Whether rejections of bets and rollbacks are kept. */
  readonly keepsRejections: boolean;
}

interface Transaction {
  readonly action: Exclude<Action, "balance">;
  readonly playerId: string;
  readonly txId: string;
  readonly roundId: string;
  readonly amountMinor: bigint;
  readonly refTxId: string | null;
}

interface Player {
  readonly id: string;
  balanceMinor: bigint;
  blocked: boolean;
}

interface Merchant {
  readonly code: string;
  readonly currency: Currency;
  readonly players: Map<string, Player>;
  /** Final replies by tx_id. */
  readonly replies: Map<string, Reply>;
  readonly applied: Map<string, Effect>;
  /** The reversal of each reversed transaction. */
  readonly reversedBy: Map<string, string>;
  readonly tombstones: Set<string>;
}

const reject = (error: string): Rejection => ({ ok: false, error });

export class Ledger {
  /** Every movement of money, in order. Entries are only appended. */
  readonly effects: Effect[] = [];
  readonly #rules: LedgerRules;
  readonly #merchants = new Map<string, Merchant>();

  constructor(rules: Partial<LedgerRules> = {}) {
    this.#rules = { tombstones: true, keepsRejections: true, ...rules };
  }

  addMerchant(code: string, currency: Currency): void {
    const empty = {
      players: new Map(),
      replies: new Map(),
      applied: new Map(),
      reversedBy: new Map(),
      tombstones: new Set<string>(),
    };
    this.#merchants.set(code, { code, currency, ...empty });
  }

  addPlayer(merchant: string, playerId: string, openingMinor: bigint): void {
    this.#merchant(merchant).players.set(playerId, { id: playerId, balanceMinor: openingMinor, blocked: false });
  }

  /** Blocks a player. Bets of a blocked player are refused, credits are not. */
  block(merchant: string, playerId: string, blocked: boolean): void {
    this.#player(merchant, playerId).blocked = blocked;
  }

  /**
   * A deposit, or a withdrawal if `minor` is negative. It is a movement of the merchant itself, not the effect of a
   * callback.
   */
  deposit(merchant: string, playerId: string, minor: bigint): void {
    this.#player(merchant, playerId).balanceMinor += minor;
  }

  balanceMinor(merchant: string, playerId: string): bigint {
    return this.#player(merchant, playerId).balanceMinor;
  }

  /** The reply to the parsed body of a correctly signed callback. Moves money at most once per tx_id. */
  apply(merchantCode: string, body: unknown): Reply {
    const merchant = this.#merchant(merchantCode);
    const request = read(body);
    if (request === undefined) return reject("INVALID_REQUEST");
    const isForeign = request.currency !== merchant.currency;
    if (request.action === "balance") {
      if (isForeign) return reject("CURRENCY_MISMATCH");
      const player = merchant.players.get(request.playerId);
      return player === undefined ? reject("PLAYER_NOT_FOUND") : success(player, merchant);
    }
    // An amount in a foreign currency is not used. But it must be readable, because the rejection is stored with it.
    const transaction = readTransaction(request, isForeign ? TWO_DECIMALS : merchant.currency);
    if (transaction === undefined) return reject("INVALID_REQUEST");
    const stored = merchant.replies.get(transaction.txId);
    if (stored !== undefined) return stored;
    if (isForeign) return this.#rejected(merchant, transaction, reject("CURRENCY_MISMATCH"));
    return this.#judge(merchant, transaction);
  }

  #judge(merchant: Merchant, transaction: Transaction): Reply {
    const player = merchant.players.get(transaction.playerId);
    const error = player === undefined ? "PLAYER_NOT_FOUND" : this.#objection(merchant, player, transaction);
    if (player === undefined || error !== undefined)
      return this.#rejected(merchant, transaction, rejection(merchant, player, error));
    const { action, txId, roundId, refTxId, amountMinor } = transaction;
    const deltaMinor = action === "bet" || action === "rollback" ? -amountMinor : amountMinor;
    const effect: Effect = { merchant: merchant.code, player: player.id, txId, action, deltaMinor, roundId, refTxId };
    player.balanceMinor += deltaMinor;
    this.effects.push(effect);
    merchant.applied.set(txId, effect);
    if (refTxId !== null) merchant.reversedBy.set(refTxId, txId);
    const reply = success(player, merchant);
    merchant.replies.set(txId, reply);
    return reply;
  }

  /** The code of the reason why the transaction can't be applied. undefined: it can be applied. */
  #objection(
    merchant: Merchant,
    player: Player,
    { action, txId, amountMinor, refTxId }: Transaction,
  ): string | undefined {
    if (merchant.tombstones.has(txId)) return "TRANSACTION_REVERSED";
    if (action === "bet") {
      if (player.blocked) return "PLAYER_BLOCKED";
      return player.balanceMinor < amountMinor ? "INSUFFICIENT_FUNDS" : undefined;
    }
    if (refTxId === null) return undefined;
    const reversed = merchant.applied.get(refTxId);
    if (reversed === undefined) {
      if (this.#rules.tombstones) merchant.tombstones.add(refTxId);
      return "TRANSACTION_NOT_FOUND";
    }
    if (reversed.action !== (action === "refund" ? "bet" : "win") || reversed.player !== player.id)
      return "TRANSACTION_NOT_FOUND";
    if (merchant.reversedBy.has(refTxId)) return "ALREADY_REVERSED";
    // A rollback may make the balance negative, because the player may have lost the win since.
    return abs(reversed.deltaMinor) === amountMinor ? undefined : "AMOUNT_MISMATCH";
  }

  #rejected(merchant: Merchant, { action, txId }: Transaction, reply: Rejection): Reply {
    const kept = (action === "bet" || action === "rollback") && reply.error !== "TRANSACTION_NOT_FOUND";
    if (kept && this.#rules.keepsRejections) merchant.replies.set(txId, reply);
    return reply;
  }

  #merchant(code: string): Merchant {
    const merchant = this.#merchants.get(code);
    if (merchant === undefined) throw new Error(`no merchant ${code} in this ledger`);
    return merchant;
  }

  #player(merchant: string, playerId: string): Player {
    const player = this.#merchant(merchant).players.get(playerId);
    if (player === undefined) throw new Error(`no player ${playerId} at merchant ${merchant}`);
    return player;
  }
}

const abs = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
const success = (player: Player, merchant: Merchant): Reply => ({ ok: true, balance: balanceOf(player, merchant) });

const rejection = (merchant: Merchant, player: Player | undefined, error = "PLAYER_NOT_FOUND"): Rejection =>
  player === undefined || error !== "INSUFFICIENT_FUNDS"
    ? reject(error)
    : { ...reject(error), balance: balanceOf(player, merchant) };

const balanceOf = (player: Player, merchant: Merchant): number =>
  Number(toDecimal(player.balanceMinor, merchant.currency));

type Fields = Readonly<Record<string, unknown>> & {
  readonly action: Action;
  readonly playerId: string;
  readonly currency: string;
};

const ACTIONS: ReadonlySet<unknown> = new Set<Action>(["balance", "bet", "win", "refund", "rollback"]);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** The fields that every callback has. */
function read(body: unknown): Fields | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const fields = body as Record<string, unknown>;
  if (
    !ACTIONS.has(fields.action) ||
    !isText(fields.player_id) ||
    !isText(fields.currency) ||
    !isText(fields.provider) ||
    !isText(fields.game)
  )
    return undefined;
  return { ...fields, action: fields.action as Action, playerId: fields.player_id, currency: fields.currency };
}

/** The fields of a transaction. Only a reversal names the transaction that it reverses. */
function readTransaction(fields: Fields, currency: Currency): Transaction | undefined {
  const { action, playerId, tx_id: txId, round_id: roundId, ref_tx_id: ref, amount } = fields;
  const isReversal = action === "refund" || action === "rollback";
  if (action === "balance" || !isText(txId) || !isText(roundId) || isReversal !== isText(ref)) return undefined;
  const amountMinor = typeof amount === "number" ? toMinor(amount, currency) : undefined;
  if (amountMinor === undefined || amountMinor <= 0n) return undefined;
  return { action, playerId, txId, roundId, amountMinor, refTxId: isText(ref) ? ref : null };
}

const TWO_DECIMALS: Currency = "BRL";
const decimals = (currency: Currency): number => (currency === "CLP" ? 0 : 2);

/** A JSON number in minor units, from its shortest decimal text. undefined: it has more decimals than the currency. */
export function toMinor(amount: number, currency: Currency): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount));
  if (match === null) return undefined;
  const [, sign, whole = "0", fraction = ""] = match;
  const scale = decimals(currency);
  if (fraction.length > scale) return undefined;
  const minor = BigInt(whole + fraction.padEnd(scale, "0"));
  return sign === "-" ? -minor : minor;
}

/** Minor units as decimal text: -5n BRL is `-0.05`. */
export function toDecimal(minor: bigint, currency: Currency): string {
  const scale = decimals(currency);
  const digits = abs(minor)
    .toString()
    .padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return minor < 0n ? `-${text}` : text;
}
