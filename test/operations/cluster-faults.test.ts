/** Faults of a Galera cluster and of a MySQL group, watched by a real Prometheus. Each must raise its alert. */
import { existsSync } from "node:fs";
import type { ExecutionContext } from "ava";
import type { Cluster } from "../../testbed/cluster/cluster.ts";
import { GaleraCluster } from "../../testbed/cluster/galera-cluster.ts";
import { GroupCluster } from "../../testbed/cluster/group-cluster.ts";
import { NoMysql } from "../../testbed/database/mysql-server.ts";
import { GALERA, GROUP_REPLICATION } from "./alert-names.ts";
import { Monitoring, until } from "./monitoring.ts";
import { withPrometheus } from "./with-prometheus.ts";

/** All three nodes, as one cluster. */
async function whole<T extends Cluster>(t: ExecutionContext, cluster: T): Promise<T> {
  t.teardown(() => cluster.stop());
  await cluster.nodes[0].ask("CREATE DATABASE aggregator");
  await cluster.grow();
  return cluster;
}

const firingOf = async (monitoring: Monitoring, names: readonly string[]): Promise<string[]> => {
  const firing = await monitoring.firing();
  return names.filter((name) => firing.has(name));
};

withPrometheus("a Galera node that is slow, and one that is lost, raise their alerts", async (t) => {
  t.timeout(300_000);
  const cluster = await whole(t, await GaleraCluster.begin());
  const [first, slow, lost] = cluster.nodes;
  await first.ask("CREATE TABLE aggregator.rows_to_apply (id INT PRIMARY KEY)");
  const monitoring = await Monitoring.start(t, { replicas: [], databases: [first.url("mysql"), slow.url("mysql")] });
  t.deepEqual(await firingOf(monitoring, GALERA), [], "no fault, no alert");

  t.log("a node that applies no writes of the others");
  await slow.ask("FLUSH TABLES WITH READ LOCK");
  for (let id = 1; id <= 12; id++) await first.ask(`INSERT INTO aggregator.rows_to_apply VALUES (${id})`);
  await monitoring.untilFired("GaleraNodeSlow");
  await slow.ask("UNLOCK TABLES");
  await until("the node has applied the writes", async () => {
    const [found] = await slow.ask("SELECT COUNT(*) AS count FROM aggregator.rows_to_apply");
    return Number(found?.count) === 12;
  });
  await monitoring.untilSilent("GaleraNodeSlow");

  t.log("a node that is gone");
  await lost.kill();
  await monitoring.untilFired("GaleraNodeLost");
  await cluster.rejoin(lost);
  await monitoring.untilSilent("GaleraNodeLost");
  t.deepEqual([...monitoring.fired].toSorted(), [...GALERA]);
});

withPrometheus("a lost member of a MySQL group raises its alert", async (t) => {
  t.timeout(300_000);
  const cluster = await groupOrReason();
  if (typeof cluster === "string") {
    t.log(`skipped: ${cluster}`);
    return t.pass();
  }
  await whole(t, cluster);
  const [first, , lost] = cluster.nodes;
  const monitoring = await Monitoring.start(t, { replicas: [], databases: [first.member.server.url("mysql")] });
  t.deepEqual(await firingOf(monitoring, GROUP_REPLICATION), [], "no fault, no alert");

  await lost.kill();
  await monitoring.untilFired("GroupMemberLost");
  await cluster.rejoin(lost);
  await monitoring.untilSilent("GroupMemberLost");
  t.deepEqual([...monitoring.fired], [...GROUP_REPLICATION]);
});

/** A cluster; or why this machine cannot have one. */
async function groupOrReason(): Promise<GroupCluster | string> {
  if (process.getuid?.() !== 0) return "the members' networks need root";
  if (!existsSync("/usr/sbin/ip") && !existsSync("/sbin/ip")) return "there is no program ip (iproute2)";
  try {
    return await GroupCluster.begin("single");
  } catch (error) {
    if (error instanceof NoMysql) return error.message;
    throw error;
  }
}
