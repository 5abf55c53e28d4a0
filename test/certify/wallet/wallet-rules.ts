/** How the wallet under test decides about a callback. Its steps are asynchronous, as with a database. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { type Books, type Character, type Reply, reject, type Tx } from "./wallet-habits.ts";
import { WalletIdentity } from "./wallet-identity.ts";
import { WalletMemory } from "./wallet-memory.ts";

type Check = "stored" | "tombstone" | "currency" | "round" | "blocked" | "funds" | "reference" | "reversed";

const CHECKS: readonly Check[] = [
  "stored",
  "tombstone",
  "currency",
  "round",
  "blocked",
  "funds",
  "reference",
  "reversed",
];

const KNOWN = new Set([
  "action",
  "player_id",
  "currency",
  "provider",
  "game",
  "tx_id",
  "round_id",
  "amount",
  "ref_tx_id",
]);

export class WalletRules {
  readonly #character: Character;
  #line: Promise<unknown> = Promise.resolve();
  #inFlight = new Map<string, Promise<Reply>>();

  readonly #identity: WalletIdentity;
  readonly #memory: WalletMemory;
  readonly #locked = new Set<string>();

  constructor(character: Character) {
    this.#character = character;
    this.#identity = new WalletIdentity(character);
    this.#memory = new WalletMemory(character);
  }

  async judge(
    books: Books,
    request: IncomingMessage,
    response: ServerResponse,
    json: Record<string, unknown>,
  ): Promise<Reply> {
    const { locks } = this.#character.habits;
    if (json.action === "balance" || locks === undefined) return this.#judge(books, request, response, json);
    const what = locks === "player" ? json.player_id : (json.ref_tx_id ?? json.tx_id);
    const locked = `${request.headers["x-merchant-id"]} ${what}`;
    if (this.#locked.has(locked)) throw new Error("locked");
    this.#locked.add(locked);
    return this.#judge(books, request, response, json).finally(() => this.#locked.delete(locked));
  }

  async #judge(
    books: Books,
    request: IncomingMessage,
    response: ServerResponse,
    json: Record<string, unknown>,
  ): Promise<Reply> {
    this.#memory.forget(books);
    const tx = {
      ...json,
      minor: this.#minor(Number(json.amount ?? 0)),
      tx_id: this.#identity.stored(json.tx_id),
      player_id: this.#identity.player(books, String(json.player_id)),
      ...(json.ref_tx_id !== undefined && { ref_tx_id: this.#identity.reference(books, json.ref_tx_id) }),
    } as unknown as Tx;
    if (this.#character.has("known kinds only") && String(json.kind).startsWith("kind_of_"))
      return reject("INVALID_REQUEST");
    if (this.#character.has("no prizes") && json.kind === "prize_drop") return reject("INVALID_REQUEST");
    if (this.#character.has("strict schema") && Object.keys(json).some((name) => !KNOWN.has(name)))
      return reject("INVALID_REQUEST");
    if (tx.action === "balance" || this.#character.habits.currencyFirst) {
      const objection = this.#check(books, tx, "currency");
      if (objection !== undefined) return objection;
    }
    if (this.#character.has("short player ids") && tx.player_id.length > 64) throw new Error("value too long");
    if (!books.players.has(tx.player_id) && this.#character.has("players appear"))
      books.players.set(tx.player_id, { balance: 10_000n, blocked: false });
    const player = books.players.get(tx.player_id);
    if (tx.action === "balance" && this.#character.has("balance fee") && player !== undefined)
      player.balance = this.#told(player.balance) - 1n;
    if (tx.action === "balance")
      return player === undefined ? reject("PLAYER_NOT_FOUND") : { ok: true, balance: this.#told(player.balance) };
    if (this.#character.has("narrow ids") && Buffer.byteLength(tx.tx_id) > 100) throw new Error("value too long");
    if (this.#character.has("no emoji") && /\p{Extended_Pictographic}/u.test(tx.tx_id.replace(/[\d#*]/g, "")))
      throw new Error("incorrect string value");
    if (this.#character.has("believes attempts") && Number(request.headers["x-attempt"]) > 1 && player !== undefined)
      return { ok: true, balance: this.#told(player.balance) };
    const raced = new Set(CHECKS.filter((check) => this.#isRaced(check, tx)));
    if (this.#character.has("lost update"))
      return this.#onceInFlight(this.#key(tx), () => this.#settle(books, request, response, tx, undefined, raced));
    const isKnown = this.#stored(books, tx) !== undefined;
    const early =
      isKnown && !raced.has("stored") ? undefined : this.#firstObjection(books, tx, (check) => raced.has(check));
    await turn();
    const reply = await this.#inLine(() => this.#settle(books, request, response, tx, early, raced));
    if (!this.#character.has("balance after all") || isKnown || !reply.ok) return reply;
    for (let i = 0; i < 20; i += 1) await turn();
    return { ok: true, balance: this.#told(player?.balance ?? 0n) };
  }

  /** Whether the planted mistake makes this check before it gets the lock. */
  #isRaced(check: Check, { action }: Tx): boolean {
    if (check === "stored") return this.#character.has("look before insert");
    if (check === "funds") return this.#character.has("funds before lock");
    if (check === "reversed") return this.#character.has("reversal before lock");
    return check === "reference" && this.#character.has("reference before lock") && action === "refund";
  }

  async #settle(
    books: Books,
    request: IncomingMessage,
    response: ServerResponse,
    tx: Tx,
    early: Reply | undefined,
    raced: ReadonlySet<Check>,
  ): Promise<Reply> {
    const objection = early ?? this.#firstObjection(books, tx, (check) => !raced.has(check));
    if (objection !== undefined) return objection.ok ? objection : this.#reject(books, tx, objection);
    return this.#apply(books, request, response, tx);
  }

  #firstObjection(books: Books, tx: Tx, isAsked: (check: Check) => boolean): Reply | undefined {
    const order = this.#character.has("funds first")
      ? [...CHECKS].sort((a, b) => Number(b === "funds") - Number(a === "funds"))
      : CHECKS;
    for (const check of order) {
      const reply = isAsked(check) ? this.#check(books, tx, check) : undefined;
      if (reply !== undefined) return reply;
    }
    return undefined;
  }

  #check(books: Books, tx: Tx, check: Check): Reply | undefined {
    const { action, minor } = tx;
    const player = books.players.get(tx.player_id);
    const events = books.rounds.get(tx.round_id) ?? new Set();
    switch (check) {
      case "stored":
        return this.#stored(books, tx);
      case "tombstone":
        return books.tombstones.has(tx.tx_id) ? reject("TRANSACTION_REVERSED") : undefined;
      case "currency": {
        const isAny =
          (action === "bet" && this.#character.has("any bet's currency")) ||
          (action === "win" && this.#character.has("any win's currency")) ||
          (tx.ref_tx_id !== undefined && this.#character.has("any reversal's currency"));
        if (tx.currency === this.#character.currency || isAny) return undefined;
        if (action === "refund" && this.#character.has("refund in another currency counts"))
          books.reversed.add(tx.ref_tx_id ?? "");
        return reject("INVALID_CURRENCY");
      }
      case "round":
        if (action === "win" && this.#character.has("win needs a bet") && !events.has("bet")) return reject("NO_BET");
        if (action === "bet" && this.#character.has("one bet a round") && events.has("bet"))
          return reject("ROUND_HAS_BET");
        if (action === "bet" && this.#character.has("closes the round") && events.has("rejected bet"))
          return reject("ROUND_CLOSED");
        if (action === "bet" && this.#character.has("bet before win") && events.has("win"))
          return reject("ROUND_CLOSED");
        if (action === "win" && this.#character.has("one win a round") && events.has("win"))
          return reject("ROUND_HAS_WIN");
        if (action === "win" && this.#character.has("refund ends the round") && events.has("refund"))
          return reject("ROUND_CLOSED");
        if (action === "win" && this.#character.has("rejected round") && events.has("rejected bet"))
          return reject("ROUND_CLOSED");
        if (action === "win" && events.has("closed")) return reject("ROUND_CLOSED");
        return action === "refund" && this.#character.has("win ends the round") && events.has("win")
          ? reject("ROUND_CLOSED")
          : undefined;
      case "blocked":
        if (player === undefined) return reject("PLAYER_NOT_FOUND");
        if (!player.blocked) return undefined;
        if (action === "bet") return this.#character.has("blocked players bet") ? undefined : reject("PLAYER_BLOCKED");
        return (action === "win" && this.#character.has("blocked wins")) ||
          (action === "refund" && this.#character.has("blocked refunds")) ||
          (action === "rollback" && this.#character.has("blocked rollbacks"))
          ? reject("PLAYER_BLOCKED")
          : undefined;
      case "funds": {
        const needed = this.#character.has("more than the bet") ? minor + 1n : minor;
        return action === "bet" && !this.#character.has("overdraft") && this.#told(player?.balance ?? 0n) < needed
          ? reject("INSUFFICIENT_FUNDS")
          : undefined;
      }
      case "reference":
        return tx.ref_tx_id === undefined ? undefined : this.#reference(books, tx, tx.ref_tx_id);
      case "reversed": {
        if (tx.ref_tx_id === undefined || !books.reversed.has(tx.ref_tx_id)) return undefined;
        return (action === "refund" && this.#character.has("two refunds")) ||
          (action === "rollback" && this.#character.has("two rollbacks"))
          ? undefined
          : reject("ALREADY_REVERSED");
      }
    }
  }

  #stored(books: Books, tx: Tx): Reply | undefined {
    const twice = {
      bet: "bets twice",
      win: "wins twice",
      refund: "refunds twice",
      rollback: "rollbacks twice",
    } as const;
    const isOvertaken = this.#character.has("a refused reversal overtakes") && books.tombstones.has(tx.tx_id);
    const applied =
      isOvertaken || this.#character.has(twice[tx.action as keyof typeof twice])
        ? undefined
        : books.applied.get(this.#key(tx));
    if (applied === undefined) return books.rejected.get(this.#key(tx));
    if (this.#character.has("rejects repeats")) return reject("DUPLICATE");
    const isOther =
      applied.tx.action !== tx.action || applied.tx.minor !== tx.minor || applied.tx.player_id !== tx.player_id;
    if (this.#character.habits.comparesContent && isOther) return reject("CONTENT_DIFFERS");
    return this.#character.has("new reply")
      ? { ok: true, balance: this.#told(books.players.get(tx.player_id)?.balance ?? 0n) }
      : applied.reply;
  }

  #reference(books: Books, tx: Tx, ref: string): Reply | undefined {
    const isRefund = tx.action === "refund";
    if (isRefund && this.#character.has("refunds anything")) return undefined;
    if (isRefund && this.#character.has("refunds rejected bets") && books.rejected.has(ref)) return undefined;
    const named = [...books.applied.values()].find((applied) => applied.tx.tx_id === ref)?.tx;
    if (named === undefined || this.#memory.isTooOld(named.tx_id)) return reject("TRANSACTION_NOT_FOUND");
    const allowed = isRefund
      ? [
          "bet",
          ...(this.#character.has("refunds wins") ? ["win"] : []),
          ...(this.#character.has("refunds refunds") ? ["refund"] : []),
          ...(this.#character.has("refunds rollbacks") ? ["rollback"] : []),
        ]
      : [
          "win",
          ...(this.#character.has("rolls back bets") ? ["bet"] : []),
          ...(this.#character.has("rolls back refunds") ? ["refund"] : []),
          ...(this.#character.has("rolls back rollbacks") ? ["rollback"] : []),
        ];
    const isAnyones = isRefund && this.#character.has("refunds anyone");
    const isOthers = named.player_id !== tx.player_id && !isAnyones;
    if (isOthers && isRefund && this.#character.has("another player's refund counts")) books.reversed.add(ref);
    const isRefused = this.#character.has("any refused reversal counts");
    if (!allowed.includes(named.action) || isOthers) {
      if (isRefused) books.reversed.add(ref);
      if (this.#character.has("a refused reversal overtakes")) books.tombstones.add(ref);
      return reject("WRONG_REFERENCE");
    }
    const isAnyAmount = this.#character.has(isRefund ? "refunds any amount" : "rolls back any amount");
    if (named.minor !== tx.minor && !isAnyAmount) {
      if (isRefused || (isRefund && this.#character.has("wrong refund counts"))) books.reversed.add(ref);
      return reject("AMOUNT_MISMATCH");
    }
    if (
      tx.action === "rollback" &&
      (this.#character.habits.neverNegative || this.#character.has("rollback needs funds")) &&
      this.#told(books.players.get(tx.player_id)?.balance ?? 0n) < tx.minor &&
      !books.reversed.has(ref)
    )
      return reject("WOULD_BE_NEGATIVE");
    return undefined;
  }

  #reject(books: Books, tx: Tx, reply: Reply): Reply {
    const { action } = tx;
    if (reply.error === "TRANSACTION_NOT_FOUND" && tx.ref_tx_id !== undefined) {
      const isLeft =
        action === "refund" ? !this.#character.has("no tombstones") : !this.#character.has("no win tombstones");
      if (isLeft) books.tombstones.add(tx.ref_tx_id);
    }
    if (action === "bet" && reply.error === "INSUFFICIENT_FUNDS") this.#note(books, tx, "rejected bet");
    const isNotFound = reply.error === "TRANSACTION_NOT_FOUND";
    const keeps = {
      bet: !(
        this.#character.has("forgets bet rejections") ||
        (reply.error === "PLAYER_NOT_FOUND" && this.#character.has("forgets unknown players")) ||
        (reply.error === "PLAYER_BLOCKED" && this.#character.has("forgets blocked players"))
      ),
      win: this.#character.has("keeps win rejections"),
      refund: this.#character.has("keeps refund rejections"),
      rollback: isNotFound
        ? this.#character.has("keeps not found")
        : !this.#character.has("forgets rollback rejections"),
    }[action];
    if (keeps && reply.error !== "DUPLICATE" && reply.error !== "CONTENT_DIFFERS")
      books.rejected.set(this.#key(tx), reply);
    return reply;
  }

  async #apply(books: Books, request: IncomingMessage, response: ServerResponse, tx: Tx): Promise<Reply> {
    const payer =
      this.#character.has("first player pays") && tx.action === "bet" ? [...books.players.keys()][0] : undefined;
    const player = books.players.get(payer ?? tx.player_id);
    if (player === undefined) return reject("PLAYER_NOT_FOUND");
    const isDebit = tx.action === "bet" || tx.action === "rollback";
    const read = player.balance;
    if (this.#character.has("lost update")) await turn();
    const from = this.#character.has("lost update") ? read : player.balance;
    let next = this.#character.has("floats")
      ? Number(from) / (typeof from === "bigint" ? this.#character.scale : 1) +
        (Number(tx.minor) / this.#character.scale) * (isDebit ? -1 : 1)
      : BigInt(from) + (isDebit ? -tx.minor : tx.minor);
    if (this.#character.has("32 bits")) next = BigInt.asIntN(32, next as bigint);
    if (this.#character.has("single precision")) next = BigInt(Math.fround(Number(next)));
    if (this.#character.has("stops at zero") && tx.action === "rollback" && (next as bigint) < 0n) next = 0n;
    player.balance = next;
    if (this.#character.has("stops when cut")) {
      await sleep(4);
      if (request.socket.destroyed) throw new Error("aborted");
    }
    await turn();
    const balance =
      (this.#character.has("balance before") && tx.action === "bet") ||
      (this.#character.has("refund before") && tx.action === "refund")
        ? from
        : next;
    const reply: Reply = {
      ok: true,
      balance: this.#told(balance),
      ...(typeof balance === "number" && { float: balance }),
    };
    const store = (): void => void books.applied.set(this.#key(tx), { tx, reply });
    if (this.#character.has("stores after the reply")) response.once("finish", store);
    else store();
    this.#note(books, tx, tx.action);
    if (tx.ref_tx_id !== undefined) {
      books.reversed.add(tx.ref_tx_id);
      if (this.#character.has(tx.action === "refund" ? "refund frees" : "rollback frees"))
        books.applied.delete(tx.ref_tx_id);
    }
    return reply;
  }

  #note(books: Books, { round_id }: Tx, event: string): void {
    books.rounds.set(round_id, new Set([...(books.rounds.get(round_id) ?? []), event]));
  }

  #key(tx: Tx): string {
    const more = [
      ...(this.#character.has("key with amount") ? [tx.minor] : []),
      ...(this.#character.has("key with action") ? [tx.action] : []),
      ...(this.#character.has("key with player") ? [tx.player_id] : []),
    ];
    return [tx.tx_id, ...more].join(" ");
  }

  #minor(amount: number): bigint {
    return BigInt(
      this.#character.has("truncation")
        ? Math.trunc(amount * this.#character.scale)
        : Math.round(amount * this.#character.scale),
    );
  }

  /** The balance of a reply in minor units, from a stored balance. */
  #told(balance: number | bigint): bigint {
    return typeof balance === "bigint" ? balance : BigInt(Math.round(balance * this.#character.scale));
  }

  #onceInFlight(key: string, run: () => Promise<Reply>): Promise<Reply> {
    const running = this.#inFlight.get(key) ?? run().finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, running);
    return running;
  }

  #inLine<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#line.then(run, run);
    this.#line = next.catch(() => {});
    return next;
  }
}
