/** How the wallet under test compares ids, with the planted mistakes of databases and their collations. */
import type { Books, Character } from "./wallet-habits.ts";

const withoutAccents = (text: string): string => text.normalize("NFD").replace(/\p{Mn}/gu, "");
const withoutEmojis = (text: string): string => text.replace(/[\u{10000}-\u{10ffff}]/gu, "?");

export class WalletIdentity {
  readonly #character: Character;

  constructor(character: Character) {
    this.#character = character;
  }

  /** A tx_id as it is stored. */
  stored(value: unknown): string {
    let id = String(value ?? "");
    if (this.#character.has("short ids")) id = Buffer.from(id).subarray(0, 64).toString("latin1");
    if (this.#character.has("case-blind ids")) id = id.toLowerCase();
    if (this.#character.has("accent-blind ids")) id = withoutAccents(id);
    if (this.#character.has("normalised ids")) id = id.normalize("NFC");
    if (this.#character.has("trimmed ids")) id = id.trimEnd();
    if (this.#character.has("ids without emojis")) id = withoutEmojis(id);
    if (this.#character.has("numeric ids"))
      id = id.replace(/^(\w+:)(\d+)$/, (_, prefix: string, digits: string) => `${prefix}${Number(digits)}`);
    return this.#character.has("own ids") ? id.replace(/^\w+:/, "") : id;
  }

  /** The stored tx_id that a ref_tx_id finds, or the ref_tx_id itself. */
  reference(books: Books, value: unknown): string {
    const ref = this.stored(value);
    const ids = [...books.applied.values()].map(({ tx }) => tx.tx_id);
    return this.#found(ref, ids, {
      "case-blind references": (text) => text.toLowerCase(),
      "accent-blind references": withoutAccents,
      "trimmed references": (text) => text.trimEnd(),
      "references without emojis": withoutEmojis,
    });
  }

  /** The player that a player_id finds, or the player_id itself. */
  player(books: Books, value: string): string {
    return this.#found(value, [...books.players.keys()], {
      "case-blind players": (text) => text.toLowerCase(),
      "accent-blind players": withoutAccents,
      "trimmed players": (text) => text.trimEnd(),
      "players without spaces": (text) => text.trimStart(),
      "players without zeros": (text) => text.replace(/^0+/, ""),
      "players without emojis": (text) => text.replace(/[\u{10000}-\u{10ffff}].*/u, ""),
    });
  }

  #found(
    id: string,
    known: readonly string[],
    folds: Partial<Record<Parameters<Character["has"]>[0], (text: string) => string>>,
  ): string {
    for (const [bug, fold] of Object.entries(folds))
      if (this.#character.has(bug as keyof typeof folds) && !known.includes(id))
        return known.find((other) => fold(other) === fold(id)) ?? id;
    return id;
  }
}
