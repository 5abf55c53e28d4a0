/**
 * Floor: the textbook's way of idempotency. It runs SELECT, INSERT, POST and UPDATE for each bet, through Knex's query
 * builder. The table has its unique key and three indexes. Usage: textbook.ts <directory file> <database url>
 */
import knex, { type Knex } from "knex";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { serve } from "./plain-server.ts";
import { responseTo, Sessions, signedPost, type WalletReply } from "./signed-post.ts";

const TABLE = "transactions";
/** The number of connections. More connections did not make the program faster. */
const CONNECTIONS = 32;

const sessions = new Sessions(process.argv[2] ?? "");
const db = open(process.argv[3] ?? "");

await db.schema.dropTableIfExists(TABLE);
await db.schema.createTable(TABLE, (table) => {
  table.bigIncrements("id");
  table.integer("merchant_id").notNullable();
  table.string("tx_id", 128).notNullable();
  table.string("round_id", 128).notNullable();
  table.string("player_id", 128).notNullable();
  table.bigInteger("amount_minor").notNullable();
  table.string("status", 8).notNullable();
  table.bigInteger("balance_minor");
  table.bigInteger("created_at").notNullable();
  table.bigInteger("updated_at").notNullable();
  table.unique(["merchant_id", "tx_id"]);
  table.index(["merchant_id", "created_at"]);
  table.index(["merchant_id", "round_id"]);
  table.index(["merchant_id", "player_id"]);
});

serve(async (bet) => {
  const owner = sessions.find(bet.sessionId);
  const key = { merchant_id: owner.merchant.id, tx_id: bet.txId };
  const known = await db(TABLE).where(key).first();
  if (known !== undefined)
    return responseTo(bet, sessions, { ok: known.status === "success", balance: Number(known.balance_minor) / 100 });
  const now = Date.now();
  const [id] = await db(TABLE).insert({
    ...key,
    round_id: bet.roundId,
    player_id: owner.playerId,
    amount_minor: bet.amountMinor.toString(),
    status: "pending",
    created_at: now,
    updated_at: now,
  });
  const reply: WalletReply = await signedPost(sessions, owner, bet);
  await db(TABLE)
    .where({ id })
    .update({
      status: reply.ok ? "success" : "failed",
      balance_minor: Math.round(reply.balance * 100),
      updated_at: Date.now(),
    });
  return responseTo(bet, sessions, reply);
});

/** On SQLite, as Knex opens it: in this thread, and as durable as the service's. */
function open(url: string): Knex {
  if (!url.startsWith("sqlite:")) return openDatabase(url, { max: CONNECTIONS, decisiveMax: 1 }).knex;
  return knex({
    client: "better-sqlite3",
    connection: { filename: url.slice("sqlite:".length) },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (raw: { pragma(setting: string): unknown }, done: (error: Error | null) => void) => {
        for (const setting of ["journal_mode = WAL", "synchronous = FULL"]) raw.pragma(setting);
        done(null);
      },
    },
  });
}
