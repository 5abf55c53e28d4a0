/**
 * A right wallet on a real socket, with mistakes to plant and odd habits to switch on. Its steps take turns of the
 * event loop, as with a database.
 */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { BugName } from "./bugs.ts";

/** What a right wallet may do, too. */
export interface Habits {
  readonly codes?: Readonly<Record<string, string>>;
  /** More fields of each reply. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly rejectionStatus?: number;
  readonly delayMs?: number;
  /** The reply's JSON, printed in another way. */
  readonly print?: (reply: Reply) => string;
  readonly closes?: boolean;
  readonly neverNegative?: boolean;
  /** A known tx_id with other content is rejected. */
  readonly comparesContent?: boolean;
  readonly remembersNonces?: boolean;
  /** X-Signature-Next is not known to it. */
  readonly readsOneSignature?: boolean;
}

interface Tx {
  readonly action: string;
  readonly player_id: string;
  readonly currency: string;
  readonly tx_id: string;
  readonly round_id: string;
  readonly ref_tx_id?: string;
  readonly minor: bigint;
}

export interface Reply {
  readonly ok: boolean;
  readonly balance?: bigint;
  readonly error?: string;
}

interface Applied {
  readonly tx: Tx;
  readonly reply: Reply;
}

interface Books {
  readonly players: Map<string, { balance: number | bigint; readonly blocked: boolean }>;
  readonly applied: Map<string, Applied>;
  readonly rejected: Map<string, Reply>;
  readonly reversed: Set<string>;
  readonly tombstones: Set<string>;
  readonly rounds: Map<string, Set<string>>;
}

type Check = "stored" | "tombstone" | "currency" | "round" | "blocked" | "funds" | "reference" | "reversed";

const reject = (error: string): Reply => ({ ok: false, error });
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
const SECRETS: Readonly<Record<string, string>> = { shop: "sk_shop", other: "sk_other" };

export class WalletUnderTest {
  readonly #bugs: ReadonlySet<BugName>;
  readonly #habits: Habits;
  readonly #scale: number;
  readonly #currency: string;
  readonly #books = new Map<string, Books>();
  readonly #nonces = new Set<string>();
  readonly #usedUp = new Set<string>();
  #line: Promise<unknown> = Promise.resolve();
  #inFlight = new Map<string, Promise<Reply>>();
  #busy = 0;

  constructor({
    bugs = [],
    habits = {},
    currency = "BRL",
    players = ["ana", "rui"],
    opening = 10_000n,
  }: {
    bugs?: readonly BugName[];
    habits?: Habits;
    currency?: string;
    players?: readonly string[];
    opening?: bigint;
  } = {}) {
    this.#bugs = new Set(bugs);
    this.#habits = habits;
    this.#currency = currency;
    this.#scale = currency === "CLP" ? 1 : 100;
    const open = (): Books["players"] =>
      new Map([...players, "blocked"].map((id) => [id, { balance: opening, blocked: id === "blocked" }]));
    for (const code of Object.keys(SECRETS))
      this.#books.set(code, {
        players: open(),
        applied: new Map(),
        rejected: new Map(),
        reversed: new Set(),
        tombstones: new Set(),
        rounds: new Map(),
      });
    const [shop, other] = [this.#books.get("shop") as Books, this.#books.get("other") as Books];
    const share = <K extends keyof Books>(name: K): Books => ({
      ...(this.#books.get("other") as Books),
      [name]: shop[name],
    });
    if (this.#has("shared players")) this.#books.set("other", share("players"));
    if (this.#has("shared ids")) this.#books.set("other", { ...share("applied"), rejected: shop.rejected });
    if (this.#has("shared tombstones")) this.#books.set("other", { ...other, tombstones: shop.tombstones });
  }

  /** On any port. `close` ends it at once. */
  async listen(): Promise<{ url: URL; close: () => Promise<void> }> {
    const server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => request.destroy()),
    );
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const close = async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    };
    return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/wallet?b=1`), close };
  }

  #has(bug: BugName): boolean {
    return this.#bugs.has(bug);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await this.#read(request);
    this.#busy += 1;
    const [status, reply] = await this.#answer(request, body).catch((): [number, Reply] => [
      500,
      reject("INTERNAL_ERROR"),
    ]);
    if (this.#habits.delayMs !== undefined) await sleep(this.#habits.delayMs);
    this.#busy -= 1;
    response
      .writeHead(status, { "content-type": "application/json", ...(this.#habits.closes && { connection: "close" }) })
      .end(this.#print(reply));
  }

  async #read(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (this.#has("first piece")) {
        request.resume();
        break;
      }
    }
    if (this.#has("decodes pieces")) return chunks.map((chunk) => chunk.toString("utf8")).join("");
    return Buffer.concat(chunks).toString(this.#has("latin-1 body") ? "latin1" : "utf8");
  }

  async #answer(request: IncomingMessage, body: string): Promise<[number, Reply]> {
    if (this.#has("few connections")) {
      if (this.#busy > 30) return [503, reject("BUSY")];
      await sleep(5);
    }
    const headers = this.#has("header case") ? exactHeaders(request.rawHeaders) : request.headers;
    const merchant = String(headers["x-merchant-id"] ?? "");
    const id = /"tx_id":"([^"]*)"/.exec(body)?.[1];
    const isGenuine = this.#isGenuine(merchant, headers, request, body);
    if (!isGenuine) {
      if (this.#has("id before signature") && id !== undefined) this.#usedUp.add(id);
      return [this.#habits.rejectionStatus ?? 401, reject("INVALID_SIGNATURE")];
    }
    if (id !== undefined && this.#usedUp.has(id)) return [200, reject("DUPLICATE")];
    const books = this.#books.get(merchant) ?? (this.#books.get("shop") as Books);
    const reply = await this.#judge(books, request, JSON.parse(body));
    const status = reply.ok ? 200 : (this.#habits.rejectionStatus ?? 200);
    return [this.#has("rejects with 500") && !reply.ok ? 500 : status, reply];
  }

  #isGenuine(merchant: string, headers: IncomingHttpHeaders, request: IncomingMessage, body: string): boolean {
    if (this.#has("no signature")) return true;
    if (this.#has("unsigned balance") && body.includes('"action":"balance"')) return true;
    const [timestamp, nonce, signature, next] = ["x-timestamp", "x-nonce", "x-signature", "x-signature-next"].map(
      (name) => String(headers[name] ?? ""),
    );
    if (this.#has("next unchecked") && next !== "") return true;
    if (this.#has("absent signature") && signature === "") return true;
    const isSeconds = this.#has("seconds pass") && /^\d{10}$/.test(timestamp ?? "");
    if ((!/^\d{13}$/.test(timestamp ?? "") && !isSeconds) || !/^[\w-]{16,64}$/.test(nonce ?? "")) return false;
    const off = Number(timestamp) * (isSeconds ? 1_000 : 1) - Date.now();
    const most = this.#has("narrow window") ? 60_000 : 300_000;
    if (!this.#has("no time window") && (off < -most || (off > most && !this.#has("no future window")))) return false;
    const isWhole = (text = ""): boolean => /^[0-9a-f]{64}$/.test(text);
    const isHalf = this.#has("half signature") && /^[0-9a-f]{32}$/.test(signature ?? "");
    const isNextAlone = signature === "" && isWhole(next) && !this.#has("next beside only");
    if (!isWhole(signature) && !isHalf && !isNextAlone) return false;
    const secrets = this.#has("any secret")
      ? Object.values(SECRETS)
      : [SECRETS[merchant] ?? (this.#has("fallback secret") ? SECRETS.shop : undefined)];
    const text = this.#has("parsed body") ? JSON.stringify(JSON.parse(body)) : body;
    const isRight = secrets.some((secret) => {
      if (secret === undefined) return false;
      const right = createHmac("sha256", secret)
        .update(`${timestamp}.${nonce}.${request.method}.${request.url}.${text}`)
        .digest("hex");
      if (this.#has("half signature") && right.slice(0, 32) === signature?.slice(0, 32)) return true;
      return right === signature || (right === next && this.#habits.readsOneSignature !== true);
    });
    if (!isRight) return false;
    if (this.#habits.remembersNonces && this.#nonces.has(`${merchant} ${nonce}`)) return false;
    this.#nonces.add(`${merchant} ${nonce}`);
    return true;
  }

  async #judge(books: Books, request: IncomingMessage, json: Record<string, unknown>): Promise<Reply> {
    const tx = {
      ...json,
      minor: this.#minor(Number(json.amount ?? 0)),
      tx_id: this.#id(json.tx_id),
      ...(json.ref_tx_id !== undefined && { ref_tx_id: this.#id(json.ref_tx_id) }),
    } as unknown as Tx;
    if (this.#has("strict schema") && Object.keys(json).some((name) => !KNOWN.has(name)))
      return reject("INVALID_REQUEST");
    if (tx.action === "balance" || this.#has("forgets currency rejections")) {
      const objection = this.#check(books, tx, "currency");
      if (objection !== undefined) return objection;
    }
    if (this.#has("short player ids") && tx.player_id.length > 64) throw new Error("value too long");
    if (!books.players.has(tx.player_id) && this.#has("players appear"))
      books.players.set(tx.player_id, { balance: 10_000n, blocked: false });
    const player = books.players.get(tx.player_id);
    if (tx.action === "balance" && this.#has("balance fee") && player !== undefined)
      player.balance = this.#told(player.balance) - 1n;
    if (tx.action === "balance")
      return player === undefined ? reject("PLAYER_NOT_FOUND") : { ok: true, balance: this.#told(player.balance) };
    if (this.#has("narrow ids") && Buffer.byteLength(tx.tx_id) > 100) throw new Error("value too long");
    if (this.#has("no emoji") && /\p{Extended_Pictographic}/u.test(tx.tx_id.replace(/[\d#*]/g, "")))
      throw new Error("incorrect string value");
    if (this.#has("believes attempts") && Number(request.headers["x-attempt"]) > 1 && player !== undefined)
      return { ok: true, balance: this.#told(player.balance) };
    const raced = new Set(CHECKS.filter((check) => this.#isRaced(check, tx)));
    if (this.#has("lost update"))
      return this.#onceInFlight(this.#key(tx), () => this.#settle(books, request, tx, undefined, raced));
    const isKnown = this.#stored(books, tx) !== undefined;
    const early =
      isKnown && !raced.has("stored") ? undefined : this.#firstObjection(books, tx, (check) => raced.has(check));
    await turn();
    const reply = await this.#inLine(() => this.#settle(books, request, tx, early, raced));
    if (!this.#has("balance after all") || isKnown || !reply.ok) return reply;
    for (let i = 0; i < 20; i += 1) await turn();
    return { ok: true, balance: this.#told(player?.balance ?? 0n) };
  }

  /** What a mistake looks at before it takes the lock. */
  #isRaced(check: Check, { action }: Tx): boolean {
    if (check === "stored") return this.#has("look before insert");
    if (check === "funds") return this.#has("funds before lock");
    if (check === "reversed") return this.#has("reversal before lock");
    return check === "reference" && this.#has("reference before lock") && action === "refund";
  }

  async #settle(
    books: Books,
    request: IncomingMessage,
    tx: Tx,
    early: Reply | undefined,
    raced: ReadonlySet<Check>,
  ): Promise<Reply> {
    const objection = early ?? this.#firstObjection(books, tx, (check) => !raced.has(check));
    if (objection !== undefined) return objection.ok ? objection : this.#reject(books, tx, objection);
    return this.#apply(books, request, tx);
  }

  #firstObjection(books: Books, tx: Tx, isAsked: (check: Check) => boolean): Reply | undefined {
    const order = this.#has("funds first")
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
          (action === "bet" && this.#has("any bet's currency")) ||
          (action === "win" && this.#has("any win's currency"));
        return tx.currency === this.#currency || isAny ? undefined : reject("INVALID_CURRENCY");
      }
      case "round":
        if (action === "win" && this.#has("win needs a bet") && !events.has("bet")) return reject("NO_BET");
        if (action === "bet" && this.#has("one bet a round") && events.has("bet")) return reject("ROUND_HAS_BET");
        if (action === "bet" && this.#has("closes the round") && events.has("rejected bet"))
          return reject("ROUND_CLOSED");
        if (action === "bet" && this.#has("bet before win") && events.has("win")) return reject("ROUND_CLOSED");
        if (action === "win" && this.#has("one win a round") && events.has("win")) return reject("ROUND_HAS_WIN");
        if (action === "win" && this.#has("refund ends the round") && events.has("refund"))
          return reject("ROUND_CLOSED");
        if (action === "win" && this.#has("rejected round") && events.has("rejected bet"))
          return reject("ROUND_CLOSED");
        return action === "refund" && this.#has("win ends the round") && events.has("win")
          ? reject("ROUND_CLOSED")
          : undefined;
      case "blocked":
        if (player === undefined) return reject("PLAYER_NOT_FOUND");
        if (!player.blocked) return undefined;
        if (action === "bet") return this.#has("blocked players bet") ? undefined : reject("PLAYER_BLOCKED");
        return (action === "win" && this.#has("blocked wins")) || (action === "refund" && this.#has("blocked refunds"))
          ? reject("PLAYER_BLOCKED")
          : undefined;
      case "funds": {
        const needed = this.#has("more than the bet") ? minor + 1n : minor;
        return action === "bet" && !this.#has("overdraft") && this.#told(player?.balance ?? 0n) < needed
          ? reject("INSUFFICIENT_FUNDS")
          : undefined;
      }
      case "reference":
        return tx.ref_tx_id === undefined ? undefined : this.#reference(books, tx, tx.ref_tx_id);
      case "reversed": {
        if (tx.ref_tx_id === undefined || !books.reversed.has(tx.ref_tx_id)) return undefined;
        return (action === "refund" && this.#has("two refunds")) ||
          (action === "rollback" && this.#has("two rollbacks"))
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
    const applied = this.#has(twice[tx.action as keyof typeof twice]) ? undefined : books.applied.get(this.#key(tx));
    if (applied === undefined) return books.rejected.get(this.#key(tx));
    if (this.#has("rejects repeats")) return reject("DUPLICATE");
    const isOther =
      applied.tx.action !== tx.action || applied.tx.minor !== tx.minor || applied.tx.player_id !== tx.player_id;
    if (this.#habits.comparesContent && isOther) return reject("CONTENT_DIFFERS");
    return this.#has("new reply")
      ? { ok: true, balance: this.#told(books.players.get(tx.player_id)?.balance ?? 0n) }
      : applied.reply;
  }

  #reference(books: Books, tx: Tx, ref: string): Reply | undefined {
    const isRefund = tx.action === "refund";
    if (isRefund && this.#has("refunds anything")) return undefined;
    if (isRefund && this.#has("refunds rejected bets") && books.rejected.has(ref)) return undefined;
    const named = [...books.applied.values()].find((applied) => applied.tx.tx_id === ref)?.tx;
    if (named === undefined) return reject("TRANSACTION_NOT_FOUND");
    const allowed = isRefund
      ? ["bet", ...(this.#has("refunds wins") ? ["win"] : []), ...(this.#has("refunds refunds") ? ["refund"] : [])]
      : ["win", ...(this.#has("rolls back bets") ? ["bet"] : [])];
    const isAnyones = isRefund && this.#has("refunds anyone");
    if (!allowed.includes(named.action) || (named.player_id !== tx.player_id && !isAnyones))
      return reject("WRONG_REFERENCE");
    const isAnyAmount = this.#has(isRefund ? "refunds any amount" : "rolls back any amount");
    if (named.minor !== tx.minor && !isAnyAmount) {
      if (isRefund && this.#has("wrong refund counts")) books.reversed.add(ref);
      return reject("AMOUNT_MISMATCH");
    }
    if (
      tx.action === "rollback" &&
      this.#habits.neverNegative &&
      this.#told(books.players.get(tx.player_id)?.balance ?? 0n) < tx.minor &&
      !books.reversed.has(ref)
    )
      return reject("WOULD_BE_NEGATIVE");
    return undefined;
  }

  #reject(books: Books, tx: Tx, reply: Reply): Reply {
    const { action } = tx;
    if (reply.error === "TRANSACTION_NOT_FOUND" && tx.ref_tx_id !== undefined) {
      const isLeft = action === "refund" ? !this.#has("no tombstones") : !this.#has("no win tombstones");
      if (isLeft) books.tombstones.add(tx.ref_tx_id);
    }
    if (action === "bet" && reply.error === "INSUFFICIENT_FUNDS") this.#note(books, tx, "rejected bet");
    const isNotFound = reply.error === "TRANSACTION_NOT_FOUND";
    const keeps = {
      bet: !this.#has("forgets bet rejections"),
      win: this.#has("keeps win rejections"),
      refund: this.#has("keeps refund rejections"),
      rollback: isNotFound ? this.#has("keeps not found") : !this.#has("forgets rollback rejections"),
    }[action];
    if (keeps && reply.error !== "DUPLICATE" && reply.error !== "CONTENT_DIFFERS")
      books.rejected.set(this.#key(tx), reply);
    return reply;
  }

  async #apply(books: Books, request: IncomingMessage, tx: Tx): Promise<Reply> {
    const payer = this.#has("first player pays") && tx.action === "bet" ? [...books.players.keys()][0] : undefined;
    const player = books.players.get(payer ?? tx.player_id);
    if (player === undefined) return reject("PLAYER_NOT_FOUND");
    const isDebit = tx.action === "bet" || tx.action === "rollback";
    const read = player.balance;
    if (this.#has("lost update")) await turn();
    const from = this.#has("lost update") ? read : player.balance;
    let next = this.#has("floats")
      ? Number(from) / (typeof from === "bigint" ? this.#scale : 1) +
        (Number(tx.minor) / this.#scale) * (isDebit ? -1 : 1)
      : BigInt(from) + (isDebit ? -tx.minor : tx.minor);
    if (this.#has("32 bits")) next = BigInt.asIntN(32, next as bigint);
    if (this.#has("single precision")) next = BigInt(Math.fround(Number(next)));
    if (this.#has("stops at zero") && tx.action === "rollback" && (next as bigint) < 0n) next = 0n;
    player.balance = next;
    if (this.#has("stops when cut")) {
      await sleep(4);
      if (request.socket.destroyed) throw new Error("aborted");
    }
    await turn();
    const balance =
      (this.#has("balance before") && tx.action === "bet") || (this.#has("refund before") && tx.action === "refund")
        ? from
        : next;
    const reply: Reply = {
      ok: true,
      balance: this.#told(balance),
      ...(typeof balance === "number" && { float: balance }),
    };
    books.applied.set(this.#key(tx), { tx, reply });
    this.#note(books, tx, tx.action);
    if (tx.ref_tx_id !== undefined) {
      books.reversed.add(tx.ref_tx_id);
      if (this.#has(tx.action === "refund" ? "refund frees" : "rollback frees")) books.applied.delete(tx.ref_tx_id);
    }
    if (this.#has("short memory")) for (const key of [...books.applied.keys()].slice(0, -15)) books.applied.delete(key);
    return reply;
  }

  #note(books: Books, { round_id }: Tx, event: string): void {
    books.rounds.set(round_id, new Set([...(books.rounds.get(round_id) ?? []), event]));
  }

  #key(tx: Tx): string {
    const more = [
      ...(this.#has("key with amount") ? [tx.minor] : []),
      ...(this.#has("key with action") ? [tx.action] : []),
      ...(this.#has("key with player") ? [tx.player_id] : []),
    ];
    return [tx.tx_id, ...more].join(" ");
  }

  #id(value: unknown): string {
    let id = String(value ?? "");
    if (this.#has("short ids")) id = Buffer.from(id).subarray(0, 64).toString("latin1");
    if (this.#has("case-blind ids")) id = id.toLowerCase();
    if (this.#has("accent-blind ids")) id = id.normalize("NFD").replace(/\p{Mn}/gu, "");
    if (this.#has("normalised ids")) id = id.normalize("NFC");
    if (this.#has("trimmed ids")) id = id.trimEnd();
    if (this.#has("numeric ids"))
      id = id.replace(/^(\w+:)(\d+)$/, (_, prefix: string, digits: string) => `${prefix}${Number(digits)}`);
    return this.#has("own ids") ? id.replace(/^\w+:/, "") : id;
  }

  #minor(amount: number): bigint {
    return BigInt(this.#has("truncation") ? Math.trunc(amount * this.#scale) : Math.round(amount * this.#scale));
  }

  /** A kept balance in minor units. */
  #told(balance: number | bigint): bigint {
    return typeof balance === "bigint" ? balance : BigInt(Math.round(balance * this.#scale));
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

  #print(reply: Reply): string {
    const { codes = {}, extra = {}, print } = this.#habits;
    const named = reply.error === undefined ? reply : { ...reply, error: codes[reply.error] ?? reply.error };
    if (print !== undefined) return print(named);
    const { ok, balance, error, float } = named as Reply & { float?: number };
    const text =
      balance === undefined
        ? undefined
        : float === undefined
          ? decimalOf(balance, this.#has("pesos as cents") ? 100 : this.#scale)
          : String(float);
    const isLeftOut = text === undefined || (balance === 0n && this.#has("no zero"));
    const fields = [
      `"ok":${this.#has("ok is 1") ? Number(ok) : ok}`,
      ...(isLeftOut ? [] : [`"balance":${this.#has("text balance") ? `"${text}"` : text}`]),
      ...(error === undefined ? [] : [`"error":${JSON.stringify(error)}`]),
      ...Object.entries(extra).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ];
    return `{${fields.join(",")}}`;
  }
}

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

/** The headers whose names are written as the documentation writes them. */
function exactHeaders(raw: readonly string[]): IncomingHttpHeaders {
  const pairs = raw.flatMap((name, i) =>
    i % 2 === 0 && /^X(-[A-Z][a-z]+)+$/.test(name) ? [[name.toLowerCase(), raw[i + 1]]] : [],
  );
  return Object.fromEntries(pairs);
}

/** 250n in cents is `2.5`. */
export function decimalOf(minor: bigint, scale: number): string {
  if (scale === 1) return String(minor);
  const text = (minor < 0n ? -minor : minor).toString().padStart(3, "0");
  return `${minor < 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, "");
}
