/**
 * The database is restored to an earlier moment while the replicas run: rows are lost, but the wallets still have the
 * effects.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Violation, violation } from "../../../testbed/judge/record.ts";
import { effectsWithoutRow, isOfRepeats, reconciled, repeatSince } from "./restored.ts";
import type { Stage } from "./stage.ts";
import type { Struck } from "./strike.ts";

export const RESTORED = "set back to a copy, rows lost";
/** The numbers of a restored feed begin this much above the numbers that merchants may have read. */
const NUMBERS_AHEAD = 1_000_000;

/**
 * Copies the database, plays, and restores the copy. Reconciliation lists each effect without a row. The provider
 * repeats its requests. Then everything is judged.
 */
export async function restore(stage: Stage, playMs: number): Promise<Struck> {
  const { server, players, installation } = stage;
  const copy = join(installation.folder, "copy");
  await server.kill();
  const copiedAt = Date.now();
  cpSync(server.data, copy, { recursive: true });
  await server.restart();
  await stage.until("ready");
  players.play();
  await pause(playMs);
  await players.pause();
  const violations: Violation[] = [...(await stage.judged())];

  await server.kill();
  rmSync(server.data, { recursive: true });
  cpSync(copy, server.data, { recursive: true });
  await server.restart();
  const healing = performance.now();
  if ((await stage.until("ready")) === undefined)
    violations.push(violation("I0", RESTORED, "a replica doesn't get ready again"));
  // Merchants continue to read after the last number that they have read, so no number may be given twice.
  await stage.ask(`UPDATE feed_head SET seq = seq + ${NUMBERS_AHEAD}`);
  const recoveredMs = performance.now() - healing;

  const lost = await effectsWithoutRow(stage);
  const named = await reconciled(stage);
  for (const key of lost)
    if (!named.has(key)) violations.push(violation("I3", key, "its row was lost, and reconciliation doesn't say so"));
  for (const key of named)
    if (!lost.has(key)) violations.push(violation("I3", key, "reconciliation misses it, and it is there"));
  await installation.wallet.rates([]);
  const repeated = await repeatSince(stage, copiedAt);
  violations.push(...repeated.violations, ...(await stage.judged()).filter((one) => !isOfRepeats(one, repeated.keys)));
  for (const key of await reconciled(stage))
    violations.push(violation("I3", key, "repeated, and reconciliation still misses it"));
  return {
    kind: RESTORED,
    fired: lost.size,
    acknowledged: players.acknowledged,
    longestSilenceMs: players.longestSilenceMs,
    recoveredMs,
    violations,
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
