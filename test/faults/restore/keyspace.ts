import { rmSync } from "node:fs";
import { join } from "node:path";
import type { VitessCluster } from "../../../testbed/cluster/vitess-cluster.ts";
import { cloneOf, keepBinaryLog } from "../../../testbed/vitess/keyspace-backup.ts";
import type { Stage } from "../cluster/stage.ts";
import { effectsWithoutRow } from "../database/restored.ts";
import { documented } from "../documented.ts";
import { type Drilled, Figures, megabytes, pause, seconds } from "./drill.ts";

/**
 * All tablets of a Vitess keyspace and their files are lost while everybody plays, and the binary log of the primary is
 * complete. So nothing that was acknowledged may be lost. The players go on during the restore. The steps are those of
 * docs/deployment.md.
 */
export async function keyspaceLost(stage: Stage, cluster: VitessCluster, playMs: number): Promise<Drilled> {
  const drill = new Figures("All tablets of a Vitess keyspace are lost under load, the binary log is complete");
  const { players, installation } = stage;
  const primary = await cluster.writer();
  const replica = cluster.nodes.find((node) => node !== primary) as typeof primary;
  const folder = join(installation.folder, "base");
  const statement = documented("CLONE LOCAL").replace("/backup/base", folder);
  players.play();
  await pause(playMs);
  const base = await drill.step(
    "base backup of a replica while bets ran",
    () => cloneOf(replica.tablet, folder, statement),
    ({ bytes }) => `, ${megabytes(bytes)}; the longest time without a reply: ${seconds(players.longestSilenceMs)}`,
  );
  await pause(playMs);
  const before = players.acknowledged;
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  const lostAt = performance.now();
  const log = keepBinaryLog(primary.data, join(installation.folder, "log"));
  for (const { data } of cluster.nodes) rmSync(data, { recursive: true });

  await drill.step("1. every replica of the service is stopped", () =>
    Promise.all(stage.replicas.map((one) => one.drain())),
  );
  await drill.step(
    "2. the base backup is restored, and the binary log applied at the primary",
    () => cluster.restore(primary, base, log),
    (bytes) => `, ${megabytes(bytes)}`,
  );
  await drill.step("3. the vttablets are started, the keyspace has its primary", () => cluster.startTablets());
  const lost = await effectsWithoutRow(stage);
  await drill.step("4. the replicas are started and ready", async () => {
    for (const place of stage.replicas.keys()) await stage.startReplica(place);
    await stage.untilReady();
  });
  drill.note("from the loss until all replicas are ready", seconds(performance.now() - lostAt));
  await pause(playMs);
  const after = players.acknowledged - before;
  await players.pause();
  drill.note("replies with a result before and after", `${before} and ${after}`);
  if (after === 0) drill.wrong("nobody got a result after the restore");
  drill.note("transactions of wallets without a row, before the replicas were started", String(lost.size));
  drill.violations.push(...(await stage.judged()));
  return drill.result;
}
