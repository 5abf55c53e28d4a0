import type { Knex } from "knex";
import { causeOf } from "../../connection/failure.ts";

const SYNTAX_ERROR = 1064;

/**
 * Vitess plans some of our statements wrongly for a keyspace with several shards: a refund marked the row of another
 * merchant. So a keyspace must have one shard.
 */
export async function refusalOfVitess(knex: Knex): Promise<string | undefined> {
  const [[current]] = await knex.raw("SELECT DATABASE() AS name");
  const [shards] = await knex.raw("SHOW VITESS_SHARDS").catch((error) => {
    // Every other server knows no such statement. After any other error it is not known which server this is.
    if (causeOf(error).errno !== SYNTAX_ERROR) throw error;
    return [[]];
  });
  const own = (shards as Readonly<Record<string, unknown>>[])
    .map((row) => String(Object.values(row)[0]))
    .filter((shard) => shard.startsWith(`${current.name}/`));
  if (own.length <= 1) return undefined;
  return `the Vitess keyspace ${current.name} has ${own.length} shards (${own.join(", ")}), and the service works with one shard only. Name a keyspace without shards in DATABASE_URL`;
}
