import type { Database } from "../../src/adapters/sql/connection/database.ts";

/**
 * Waits until the sequencer has numbered every transaction. A test must wait for this before it changes a row of `tx`
 * beside a running service: the sequencer may have read the row already, and would number it as it was.
 */
export async function allNumbered({ knex }: Database): Promise<void> {
  while ((await knex("tx").whereNull("feed_seq").first("id")) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
