/**
 * A right wallet on a real socket, with mistakes to plant and unusual habits to switch on. Its steps are asynchronous,
 * as with a database.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { BugName } from "./bugs.ts";
import { type Books, Character, type Habits, type Reply, reject } from "./wallet-habits.ts";
import { WalletRules } from "./wallet-rules.ts";
import { SECRETS, SignatureCheck } from "./wallet-signature.ts";

export class WalletUnderTest {
  readonly #character: Character;
  readonly #signature: SignatureCheck;
  readonly #rules: WalletRules;
  readonly #books = new Map<string, Books>();
  readonly #usedUp = new Set<string>();
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
    this.#character = new Character(bugs, habits, currency);
    this.#signature = new SignatureCheck(this.#character);
    this.#rules = new WalletRules(this.#character);
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
    if (this.#character.has("shared players")) this.#books.set("other", share("players"));
    if (this.#character.has("shared ids")) this.#books.set("other", { ...share("applied"), rejected: shop.rejected });
    if (this.#character.has("shared tombstones")) this.#books.set("other", { ...other, tombstones: shop.tombstones });
  }

  /** Forgets every transaction, as a wallet does that keeps them in memory alone. The balances stay. */
  restartWithoutMemory(): void {
    for (const { applied, rejected, reversed, tombstones, rounds } of this.#books.values())
      for (const entries of [applied, rejected, reversed, tombstones, rounds]) entries.clear();
  }

  /** Listens on any free port. `close` ends the wallet at once. */
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

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await this.#read(request);
    this.#busy += 1;
    const [status, reply] = await this.#answer(request, response, body).catch((): [number, Reply] => [
      500,
      reject("INTERNAL_ERROR"),
    ]);
    if (this.#character.habits.delayMs !== undefined) await sleep(this.#character.habits.delayMs);
    this.#busy -= 1;
    response
      .writeHead(status, {
        "content-type": "application/json",
        ...(this.#character.habits.closes && { connection: "close" }),
      })
      .end(this.#print(reply), () => this.#character.habits.hangsUp && request.socket.end());
  }

  async #read(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (this.#character.has("first piece")) {
        request.resume();
        break;
      }
    }
    if (this.#character.has("decodes pieces")) return chunks.map((chunk) => chunk.toString("utf8")).join("");
    return Buffer.concat(chunks).toString(this.#character.has("latin-1 body") ? "latin1" : "utf8");
  }

  async #answer(request: IncomingMessage, response: ServerResponse, body: string): Promise<[number, Reply]> {
    if (this.#character.has("few connections")) {
      if (this.#busy > 30) return [503, reject("BUSY")];
      await sleep(5);
    }
    const headers = this.#character.has("header case") ? exactHeaders(request.rawHeaders) : request.headers;
    const merchant = String(headers["x-merchant-id"] ?? "");
    const id = /"tx_id":"([^"]*)"/.exec(body)?.[1];
    const isGenuine = this.#signature.isGenuine(merchant, headers, request, body);
    if (!isGenuine) {
      if (this.#character.has("id before signature") && id !== undefined) this.#usedUp.add(id);
      return [this.#character.habits.rejectionStatus ?? 401, reject("INVALID_SIGNATURE")];
    }
    if (id !== undefined && this.#usedUp.has(id)) return [200, reject("DUPLICATE")];
    const books = this.#books.get(merchant) ?? (this.#books.get("shop") as Books);
    const reply = await this.#rules.judge(books, request, response, JSON.parse(body));
    const status = reply.ok ? 200 : (this.#character.habits.rejectionStatus ?? 200);
    return [this.#character.has("rejects with 500") && !reply.ok ? 500 : status, reply];
  }

  #print(reply: Reply): string {
    const { codes = {}, extra = {}, print } = this.#character.habits;
    const named = reply.error === undefined ? reply : { ...reply, error: codes[reply.error] ?? reply.error };
    if (print !== undefined) return print(named);
    const { ok, balance, error, float } = named as Reply & { float?: number };
    const text =
      balance === undefined
        ? undefined
        : float === undefined
          ? decimalOf(balance, this.#character.has("pesos as cents") ? 100 : this.#character.scale)
          : String(float);
    const isLeftOut = text === undefined || (balance === 0n && this.#character.has("no zero"));
    const fields = [
      `"ok":${this.#character.has("ok is 1") ? Number(ok) : ok}`,
      ...(isLeftOut ? [] : [`"balance":${this.#character.has("text balance") ? `"${text}"` : text}`]),
      ...(error === undefined ? [] : [`"error":${JSON.stringify(error)}`]),
      ...Object.entries(extra).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    ];
    return `{${fields.join(",")}}`;
  }
}

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
