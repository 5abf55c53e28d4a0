import type { BinaryLog } from "../../../testbed/database/base-backup.ts";
import { effectsWithoutRow } from "../database/restored.ts";
import type { Stage } from "../database/stage.ts";
import { Drill, type Drilled, pause, seconds } from "./drill.ts";

/**
 * The server and its files are lost while everybody plays, and the binary log is complete. So nothing that was
 * acknowledged may be lost, and nobody has to repeat or reconcile anything. The players go on during the restore.
 */
export async function toTheEnd(stage: Stage, log: BinaryLog, playMs: number): Promise<Drilled> {
  const drill = new Drill("The files are lost under load, the binary log is complete", stage, log);
  const { players } = stage;
  players.play();
  await pause(playMs);
  const base = await drill.takeBase();
  await pause(playMs);
  const before = players.acknowledged;
  await drill.lose();
  const lostAt = performance.now();
  await drill.restore(base);
  drill.violations.push(...(await stage.unclaimed()));
  const lost = await effectsWithoutRow(stage);
  await drill.start("3. the replicas are started and ready");
  drill.note("from the loss until all replicas are ready", seconds(performance.now() - lostAt));
  await pause(playMs);
  const after = players.acknowledged - before;
  await players.pause();
  drill.note("replies with a result before and after", `${before} and ${after}`);
  if (after === 0) drill.wrong("nobody got a result after the restore");
  drill.note("transactions of wallets without a row", String(lost.size));
  drill.violations.push(...(await stage.judged()));
  return drill.result;
}
