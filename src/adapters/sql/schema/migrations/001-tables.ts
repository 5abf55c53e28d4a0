import type { Migration } from "../migration.ts";
import { big, bytes, createTable, id, int, key, longText, nullable, type Table, text, tiny } from "../table.ts";

/** The settings of merchants and providers. `epoch`: the settings_epoch of the row's last write. */
const SETTINGS: readonly Table[] = [
  { name: "settings_epoch", columns: { id: tiny(), epoch: big() }, primary: ["id"] },
  {
    name: "brands",
    columns: {
      code: key(64),
      name: text(255),
      theme: text(64),
      layout: text(64),
      settings: longText(),
      allowed_origins: longText(),
      epoch: big(),
    },
    primary: ["code"],
    indexes: { epoch: ["epoch"] },
  },
  {
    name: "merchants",
    columns: {
      id: id(),
      code: key(64),
      name: text(255),
      currency: key(3),
      brand: key(64),
      wallet_url: nullable(text(2048)),
      default_language: nullable(key(35)),
      products: key(255),
      ip_list: longText(),
      enabled: tiny(),
      secret: key(1024),
      previous_secret: nullable(key(1024)),
      secret_version: int(),
      epoch: big(),
    },
    unique: { code: ["code"] },
    indexes: { epoch: ["epoch"] },
  },
  {
    name: "providers",
    columns: { id: id(), code: key(32), name: text(255), active: tiny(), epoch: big() },
    unique: { code: ["code"] },
    indexes: { epoch: ["epoch"] },
  },
  {
    name: "sources",
    columns: { id: id(), provider_id: int(), position: int(), address: key(512), deadline_ms: int(), enabled: tiny() },
    unique: { address: ["provider_id", "address"] },
  },
  {
    name: "api_keys",
    // If provider_id is NULL, the row is an admin key, which has a role.
    columns: {
      id: id(),
      provider_id: nullable(int()),
      role: nullable(key(32)),
      name: key(128),
      hash: bytes(32),
      expires_at: nullable(big()),
      revoked: tiny(),
    },
    unique: { hash: ["hash"] },
    indexes: { provider: ["provider_id"] },
  },
  {
    name: "games",
    columns: {
      id: id(),
      provider_id: int(),
      code: key(128),
      name: text(255),
      type: tiny(),
      demo_available: tiny(),
      active: tiny(),
      details: longText(),
      updated_at: big(),
      epoch: big(),
    },
    unique: { code: ["provider_id", "code"] },
    indexes: { epoch: ["epoch"] },
  },
];

const SESSIONS: readonly Table[] = [
  {
    name: "players",
    columns: { merchant_id: int(), player_id: key(512), player_ref: key(64) },
    primary: ["merchant_id", "player_id"],
    unique: { ref: ["player_ref"] },
  },
  {
    name: "sessions",
    columns: {
      id: bytes(16),
      merchant_id: int(),
      player_id: key(512),
      player_ref: key(64),
      provider: key(32),
      game: key(128),
      demo: tiny(),
      language: key(35),
      country: key(2),
      created_at: big(),
      used_at: big(),
    },
    primary: ["id"],
    indexes: { player: ["player_ref", "provider"] },
  },
  // `token` shows which of two INSERTs of the same nonce created the row.
  {
    name: "nonces",
    columns: { merchant_id: int(), nonce: key(64), token: bytes(16), used_at: big() },
    primary: ["merchant_id", "nonce"],
    indexes: { used: ["used_at"] },
  },
  { name: "jtis", columns: { jti: key(64), used_at: big() }, primary: ["jti"], indexes: { used: ["used_at"] } },
  {
    name: "heartbeats",
    columns: { replica: key(64), seen_at: big() },
    primary: ["replica"],
    indexes: { seen: ["seen_at"] },
  },
];

/**
 * The table tx has no foreign keys, because the service has checked in memory everything that they would check. Every
 * index begins with merchant_id.
 */
const MONEY: readonly Table[] = [
  {
    name: "tx",
    columns: {
      id: id(),
      merchant_id: int(),
      tx_id: key(128),
      action: tiny(),
      status: tiny(),
      player_id: key(512),
      round_id: key(128),
      amount_minor: big(),
      currency: key(3),
      provider_id: int(),
      game_id: int(),
      ref_tx_id: nullable(key(128)),
      reversed_by: nullable(key(128)),
      resolved_by: nullable(key(140)),
      error: nullable(key(255)),
      balance_minor: nullable(big()),
      attempts: int(),
      last_result: nullable(key(16)),
      lease_token: bytes(16),
      lease_until: nullable(big()),
      silent_at: nullable(big()),
      next_at: nullable(big()),
      created_at: big(),
      opened_at: big(),
      updated_at: big(),
      // NULL: the row's state has no number yet. 0: the row is void and gets no number while it is void.
      feed_seq: nullable(big()),
      // One line of JSON for each attempt.
      attempt_log: nullable(longText()),
    },
    unique: { key: ["merchant_id", "tx_id"] },
    indexes: {
      // `id` comes third, because ORDER BY created_at, id would otherwise sort the range. With the other columns the
      // index has everything that the list's filters need.
      list: ["merchant_id", "created_at", "id", "status", "action", "provider_id", "game_id", "amount_minor"],
      feed: ["merchant_id", "feed_seq"],
      round: ["merchant_id", "round_id"],
      player: ["merchant_id", "player_id", "created_at"],
      ref: ["merchant_id", "ref_tx_id"],
      due: ["merchant_id", "next_at"],
    },
  },
  { name: "feed_head", columns: { merchant_id: int(), seq: big() }, primary: ["merchant_id"] },
  // The merchant's last number when the first row of this minute was numbered. A reader with `updated_since` begins at
  // this number.
  { name: "feed_mark", columns: { merchant_id: int(), minute: big(), seq: big() }, primary: ["merchant_id", "minute"] },
  {
    name: "ggr_hour",
    columns: {
      merchant_id: int(),
      hour: big(),
      provider_id: int(),
      type: tiny(),
      action: tiny(),
      tx_count: big(),
      sum_minor: big(),
    },
    primary: ["merchant_id", "hour", "provider_id", "type", "action"],
  },
  {
    name: "audit",
    columns: {
      id: id(),
      at: big(),
      actor: text(255),
      action: key(64),
      target: text(255),
      reason: nullable(text(1024)),
      details: longText(),
    },
    indexes: { at: ["at"] },
  },
];

export const tables: Migration = {
  name: "001-tables",
  async up(db, dialect) {
    for (const table of [...SETTINGS, ...SESSIONS, ...MONEY]) await createTable(db, dialect, table);
    await db("settings_epoch").insert({ id: 1, epoch: 1 }).onConflict("id").ignore();
    await db("providers")
      .insert({ code: "SPORTSBOOK", name: "Sportsbook", active: 1, epoch: 1 })
      .onConflict("code")
      .ignore();
    const provider = await db("providers").where({ code: "SPORTSBOOK" }).first("id");
    await db("games")
      .insert({
        provider_id: provider.id,
        code: "sportsbook",
        name: "Sportsbook",
        type: 3,
        demo_available: 0,
        active: 1,
        details: "{}",
        updated_at: 0,
        epoch: 1,
      })
      .onConflict(["provider_id", "code"])
      .ignore();
  },
};
