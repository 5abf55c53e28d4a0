/**
 * The durable state of connectors, in tables of their own. All replicas of a connector share it. Ids of providers are
 * stored as hashes, and session ids are encrypted.
 */
import type { Row } from "../../../src/adapters/sql/connection/statement.ts";
import { big, int, key, nullable, type Table, text } from "../../../src/adapters/sql/schema/table.ts";
import { SecretBox } from "../../../src/adapters/sql/settings/secret-box.ts";
import { type Currency, isCurrency } from "../../../src/domain/values/money.ts";
import { sha256 } from "../verify.ts";
import { OPEN_BETS, OpenBets } from "./open-bets.ts";
import { Tables } from "./tables.ts";

/** A player, with the id that the provider knows. */
export interface Player {
  /** The id that the provider gets. */
  readonly alias: string;
  readonly playerRef: string;
  readonly currency: Currency;
  readonly country: string;
  readonly language: string;
  /** The game of the session, or of the player's last launch. */
  readonly game: string;
}

export interface Session extends Player {
  readonly sessionId: string;
  /** Whether a newer token has replaced this one. Such a token is good for settlements, but not for bets. */
  readonly isReplaced: boolean;
}

/**
 * A note about a transaction that the service does not store, or does not store completely: an amount of 0, or an
 * amount with a part below the minor unit.
 */
export interface Note {
  /** The hash of the transaction's content. */
  readonly digest: string;
  readonly kind: "bet" | "win";
  readonly alias: string;
  /** For a bet of 0: the hash of the id that settled or reversed it; null: nothing has. */
  readonly closedBy: string | null;
  readonly closedAs: "settled" | "reversed" | null;
}

const PERSON = {
  api: key(32),
  alias: key(64),
  player_ref: key(64),
  currency: text(3),
  country: text(2),
  language: text(16),
  game: text(128),
  session: text(512),
};
const PLAYERS: Table = {
  name: "connector_players",
  columns: { ...PERSON, updated_at: big() },
  primary: ["api", "alias"],
};
const SESSIONS: Table = {
  name: "connector_sessions",
  columns: { ...PERSON, token: key(64), replaced: int(), created_at: big() },
  primary: ["api", "token"],
  indexes: { created: ["created_at"] },
};
const NOTES: Table = {
  name: "connector_notes",
  columns: {
    api: key(32),
    tx: key(64),
    digest: key(64),
    kind: text(8),
    alias: key(64),
    rest: text(40),
    closed_by: nullable(key(64)),
    closed_as: nullable(text(8)),
    created_at: big(),
  },
  primary: ["api", "tx"],
  indexes: { created: ["created_at"] },
};
/** Players stay for ever, because a late settlement names only the player. */
const PURGED = [SESSIONS, NOTES, OPEN_BETS] as const;

export class Store {
  readonly #tables: Tables;
  readonly #box: SecretBox;
  readonly bets: OpenBets;

  private constructor(tables: Tables, box: SecretBox) {
    this.#tables = tables;
    this.#box = box;
    this.bets = new OpenBets(tables);
  }

  /** Opens the database and creates the tables that are missing. */
  static async open(url: string, api: string, masterKey: Uint8Array): Promise<Store> {
    return new Store(await Tables.open(url, api, [PLAYERS, ...PURGED]), new SecretBox([masterKey]));
  }

  close(): Promise<void> {
    return this.#tables.close();
  }

  /** Throws if the database does not answer. */
  async ping(): Promise<void> {
    await this.#tables.select("api", PLAYERS, "alias = ''", []);
  }

  /** Stores the session of a launch or of a rotation. Each token names it; the player's newest session is this one. */
  async addSession(session: Omit<Session, "isReplaced">, token: string): Promise<void> {
    const { alias, playerRef, currency, country, language, game, sessionId } = session;
    const person = (context: string) => ({
      ...{ alias, player_ref: playerRef, currency, country, language, game },
      session: this.#box.seal(sessionId, context),
    });
    const hash = sha256(token);
    await this.#tables.insert(SESSIONS, { ...person(hash), token: hash, replaced: 0 }, { created_at: 0 });
    const columns = [...Object.keys(person("")).filter((name) => name !== "alias"), "updated_at"];
    const changes = Object.fromEntries(columns.map((name) => [name, this.#tables.inserted(name)]));
    await this.#tables.insert(PLAYERS, person(alias), { updated_at: 0 }, changes);
  }

  async session(token: string): Promise<Session | undefined> {
    const hash = sha256(token);
    const [row] = await this.#tables.select("*", SESSIONS, "token = ?", [hash]);
    return row && { ...playerOf(row), sessionId: this.#open(row, hash), isReplaced: Number(row.replaced) === 1 };
  }

  /** Marks a token as replaced: from now on it is good for settlements only. */
  async replaceToken(token: string): Promise<void> {
    await this.#tables.update(SESSIONS, "replaced = 1", "token = ?", [sha256(token)]);
  }

  /** The player with the newest session of the player. */
  async player(alias: string): Promise<Session | undefined> {
    const [row] = await this.#tables.select("*", PLAYERS, "alias = ?", [alias]);
    return row && { ...playerOf(row), sessionId: this.#open(row, alias), isReplaced: false };
  }

  /** Notes a transaction unless there is a note under its id already. Returns the note that is stored. */
  async note(
    tx: string,
    { digest, kind, alias }: Pick<Note, "digest" | "kind" | "alias">,
    rest: string,
  ): Promise<Note> {
    await this.#tables.insert(NOTES, { tx: sha256(tx), digest, kind, alias, rest }, { created_at: 0 });
    return (await this.noteOf(tx)) ?? { digest, kind, alias, closedBy: null, closedAs: null };
  }

  async noteOf(tx: string): Promise<Note | undefined> {
    const [row] = await this.#tables.select("*", NOTES, "tx = ?", [sha256(tx)]);
    return (
      row && {
        digest: String(row.digest),
        kind: row.kind as Note["kind"],
        alias: String(row.alias),
        closedBy: row.closed_by === null ? null : String(row.closed_by),
        closedAs: row.closed_as as Note["closedAs"],
      }
    );
  }

  /** Settles or reverses a bet of 0, if nothing has done so yet. Returns whether `by` is what did it. */
  async closeNote(tx: string, by: string, as: "settled" | "reversed"): Promise<boolean> {
    const values = [sha256(by), as, sha256(tx)];
    await this.#tables.update(NOTES, "closed_by = ?, closed_as = ?", "tx = ? AND closed_by IS NULL", values);
    const note = await this.noteOf(tx);
    return note?.closedBy === sha256(by) && note.closedAs === as;
  }

  async purge(keepMs: number): Promise<void> {
    for (const table of PURGED) await this.#tables.purge(table, keepMs);
  }

  #open(row: Row, context: string): string {
    return this.#box.open(String(row.session), context);
  }
}

function playerOf(row: Row): Player {
  const currency = String(row.currency);
  if (!isCurrency(currency)) throw new Error("a stored player has an unknown currency");
  return {
    alias: String(row.alias),
    playerRef: String(row.player_ref),
    currency,
    country: String(row.country),
    language: String(row.language),
    game: String(row.game),
  };
}
