/** Finds values in the database that the domain refuses. */
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import {
  isGameCode,
  isOwnTxId,
  isPartyCode,
  isPlayerId,
  isProviderCode,
  isRoundId,
} from "../../src/domain/values/identifiers.ts";
import { isLanguage } from "../../src/domain/values/language.ts";
import { type Currency, isAmount, isCurrency } from "../../src/domain/values/money.ts";
import { isErrorCode } from "./kinds/parsers/wallet-replies.ts";

type Row = Readonly<Record<string, string | bigint | null>>;

/** Checks the transactions written since the last call, and all settings and sessions. */
export class StoredFaults {
  readonly #database: Database;
  #seen = 0n;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(): Promise<string[]> {
    const { knex } = this.#database;
    const rows: Row[] = await knex("tx").where("id", ">", String(this.#seen)).orderBy("id");
    this.#seen = BigInt(rows.at(-1)?.id ?? this.#seen);
    const games: Row[] = await knex("games").select("code", "name");
    const brands: Row[] = await knex("brands").select("code");
    const merchants: Row[] = await knex("merchants").select("code", "brand", "currency");
    const players: Row[] = await knex("sessions").distinct("player_id", "language", "country");
    return [
      ...rows.flatMap(transactionFaults),
      ...games.filter(({ code }) => !isGameCode(text(code))).map(({ code }) => `the game ${code}`),
      ...brands.filter(({ code }) => !isPartyCode(text(code))).map(({ code }) => `the brand ${code}`),
      ...merchants
        .filter(
          ({ code, brand, currency }) =>
            !isPartyCode(text(code)) || !brands.some((one) => one.code === brand) || !isCurrency(text(currency)),
        )
        .map(({ code }) => `the merchant ${code}`),
      ...players
        .filter(
          ({ player_id, language, country }) =>
            !isPlayerId(text(player_id)) || !isLanguage(text(language)) || !/^[A-Z]{2}$/.test(text(country)),
        )
        .map((row) => `the session ${JSON.stringify(row)}`),
    ];
  }
}

const text = (value: string | bigint | null | undefined): string => String(value ?? "");
const BALANCE_MAX = 999_999_999_999_999n;

function transactionFaults(row: Row): string[] {
  const [provider = "", ...own] = text(row.tx_id).split(":");
  const isReversal = Number(row.action) >= 3;
  const balance = BigInt(row.balance_minor ?? 0);
  const amount = BigInt(row.amount_minor ?? 0);
  const checks: Readonly<Record<string, boolean>> = {
    tx_id: isProviderCode(provider) && isOwnTxId(own.join(":")),
    round_id: isRoundId(text(row.round_id)),
    player_id: isPlayerId(text(row.player_id)),
    currency: isCurrency(text(row.currency)),
    // The row of an id that Reverse has marked has no amount.
    amount: row.resolved_by === "sealed" ? amount === 0n : amount > 0n && isAmount(amount, row.currency as Currency),
    balance: balance <= BALANCE_MAX && balance >= -BALANCE_MAX,
    ref_tx_id: isReversal
      ? text(row.ref_tx_id).startsWith(`${provider}:`) && isRoundId(text(row.ref_tx_id))
      : row.ref_tx_id === null,
    error: row.error === null ? Number(row.status) !== 2 : isErrorCode(text(row.error)),
    attempts: Number(row.attempts) >= 0,
  };
  const wrong = Object.entries(checks).filter(([, holds]) => !holds);
  return wrong.map(
    ([name]) =>
      `stored with a wrong ${name}: ${JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))}`,
  );
}
