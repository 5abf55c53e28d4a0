/**
 * The bets that the connector itself reverses unless they become clear, and debts that people must look at.
 *
 * The first answer to a bet decides, for all replicas and for ever: if the provider was told that the bet stands, every
 * copy of the bet is told so, and nothing reverses it. If the provider was told that its outcome is not known, no other
 * copy is told that it stands, and it is reversed. Only a copy that comes after such an answer may try again.
 */
import { big, int, key, longText, type Table } from "../../../src/adapters/sql/schema/table.ts";
import { sha256 } from "../verify.ts";
import type { Tables } from "./tables.ts";

/**
 * - `armed`: the bet was sent, and the provider has no answer. It is reversed at its time
 * - `taken`: the provider was told that the bet stands
 * - `refused`: the provider was told that the bet took nothing
 * - `ending`: the provider was told that nobody knows, or the reversal has begun
 * - `ended`: the connector has reversed the bet
 * - `closed`: the provider itself has settled or reversed the bet
 * - `debt`: no bet, but a reversal that the wallet refuses
 */
type State = "armed" | "taken" | "refused" | "ending" | "ended" | "closed" | "debt";

/** What the provider is told of a bet. */
export type Told = "taken" | "refused" | "ending";

/** The answer that decides. `balance`: that of the answer that the bet stands, if the bet was the same. */
export interface Decision {
  readonly state: State;
  readonly balance?: bigint;
}

/** What an answer that a bet stands says. */
export interface Stands {
  /** A text that is another one for another bet under the same id. */
  readonly content: string;
  readonly balance: bigint | undefined;
}

/** What is needed to reverse a bet. */
export interface Task {
  readonly id: string;
  readonly playerRef: string;
  readonly game: string;
  readonly attempts: number;
  /** In minor units; absent for a debt. */
  readonly amount?: string;
}

type Request = Omit<Task, "id" | "attempts">;

export const OPEN_BETS: Table = {
  name: "connector_tasks",
  columns: {
    api: key(32),
    tx: key(64),
    state: key(8),
    request: longText(),
    attempts: int(),
    due_at: big(),
    created_at: big(),
  },
  primary: ["api", "tx"],
  indexes: { due: ["api", "state", "due_at"], created: ["created_at"] },
};

/** From which states an answer may lead to another state. */
const FROM: Readonly<Record<Told, string>> = {
  taken: "state = 'armed'",
  refused: "state = 'armed'",
  // A copy of the bet was taken, but another copy has told that it took nothing.
  ending: "state IN ('armed', 'refused')",
};
/** A bet may be tried again after an answer without an outcome, until its reversal begins. */
const MAY_TRY =
  "(connector_tasks.state = 'refused' OR (connector_tasks.state = 'ending' AND connector_tasks.attempts = 0))";

export class OpenBets {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Writes, before a bet is sent, that the connector itself reverses it at its time. */
  async arm(tx: string, request: Request, inMs: number): Promise<void> {
    const again = (column: string, value: string): readonly [string, string] => [
      column,
      `CASE WHEN ${MAY_TRY} THEN ${value} ELSE connector_tasks.${column} END`,
    ];
    const row = { tx: sha256(tx), state: "armed", request: JSON.stringify({ id: tx, ...request }), attempts: 0 };
    // The state comes last, because MySQL assigns from left to right and the conditions read it.
    const anew = ["due_at", "request"].map((column) => again(column, this.#tables.inserted(column)));
    const changes = Object.fromEntries([...anew, again("state", "'armed'")]);
    await this.#tables.insert(OPEN_BETS, row, { due_at: inMs, created_at: 0 }, changes);
  }

  /** Says what the provider is about to be told of a bet. Returns what decides, which may be an earlier answer. */
  async decide(tx: string, told: Told, { content, balance }: Stands): Promise<Decision> {
    const noted =
      told === "taken"
        ? { sql: ", request = ?", bindings: [JSON.stringify({ content, balance: String(balance) })] }
        : { sql: "", bindings: [] };
    const changed = await this.#tables.update(OPEN_BETS, `state = ?${noted.sql}`, `${FROM[told]} AND tx = ?`, [
      told,
      ...noted.bindings,
      sha256(tx),
    ]);
    if (changed > 0) return { state: told };
    const [row] = await this.#tables.select("state, request", OPEN_BETS, "tx = ?", [sha256(tx)]);
    const state = (row?.state ?? "closed") as State;
    if (state === "refused" && told === "taken") return this.decide(tx, "ending", { content, balance });
    if (state !== "taken") return { state };
    const stored = JSON.parse(String(row?.request)) as { readonly content: string; readonly balance: string };
    return stored.content === content ? { state, balance: BigInt(stored.balance) } : { state };
  }

  /** The provider itself has settled or reversed the bet, or (`ended`) the connector has reversed it. */
  async close(tx: string, as: "closed" | "ended" = "closed"): Promise<void> {
    const open = "state IN ('armed', 'refused', 'ending') AND tx = ?";
    await this.#tables.update(OPEN_BETS, "state = ?", open, [as, sha256(tx)]);
  }

  /** Notes that people must look at a transaction. */
  async owe(tx: string, request: Request): Promise<void> {
    const row = {
      tx: sha256(`debt:${tx}`),
      state: "debt",
      request: JSON.stringify({ id: tx, ...request }),
      attempts: 0,
    };
    await this.#tables.insert(OPEN_BETS, row, { due_at: 0, created_at: 0 });
  }

  /** The bets whose time has come. Each gets a new time first, so that another replica does not begin it as well. */
  async due(limit: number, againInMs: number): Promise<readonly Task[]> {
    const now = this.#tables.now;
    const condition = `state IN ('armed', 'ending') AND due_at <= ${now} ORDER BY due_at LIMIT ?`;
    const tasks: Task[] = [];
    for (const row of await this.#tables.select("*", OPEN_BETS, condition, [limit])) {
      const begun = await this.#tables.update(
        OPEN_BETS,
        `state = 'ending', attempts = attempts + 1, due_at = ${now} + ?`,
        "state = ? AND due_at = ? AND tx = ?",
        [againInMs, String(row.state), Number(row.due_at), String(row.tx)],
      );
      if (begun > 0)
        tasks.push({
          ...(JSON.parse(String(row.request)) as Omit<Task, "attempts">),
          attempts: Number(row.attempts) + 1,
        });
    }
    return tasks;
  }

  /** The number of bets that will be reversed unless they become clear, and of debts. */
  async count(): Promise<{ readonly armed: number; readonly debt: number }> {
    const found = await this.#tables.select(
      "state, COUNT(*) AS number",
      OPEN_BETS,
      "state IN ('armed', 'ending', 'debt') GROUP BY state",
      [],
    );
    const numberOf = (state: State) => Number(found.find((row) => row.state === state)?.number ?? 0);
    return { armed: numberOf("armed") + numberOf("ending"), debt: numberOf("debt") };
  }
}
