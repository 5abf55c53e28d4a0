import type { Knex } from "knex";

/**
 * Vitess plans some of our statements wrongly for a keyspace with several shards: a refund marked the row of another
 * merchant. So a keyspace must have one shard.
 */
export async function refusalOfVitess(knex: Knex): Promise<string | undefined> {
  const [[current]] = await knex.raw("SELECT DATABASE() AS name");
  // Every other server refuses this statement.
  const [shards] = await knex.raw("SHOW VITESS_SHARDS").catch(() => [[]]);
  const own = (shards as Readonly<Record<string, unknown>>[])
    .map((row) => String(Object.values(row)[0]))
    .filter((shard) => shard.startsWith(`${current.name}/`));
  if (own.length <= 1) return undefined;
  return `the Vitess keyspace ${current.name} has ${own.length} shards (${own.join(", ")}), and the service works with one shard only. Name a keyspace without shards in DATABASE_URL`;
}
