import type { Cluster, ClusterNode } from "../../../../testbed/cluster/cluster.ts";
import { GaleraCluster } from "../../../../testbed/cluster/galera-cluster.ts";
import { GroupCluster } from "../../../../testbed/cluster/group-cluster.ts";
import { VitessCluster } from "../../../../testbed/cluster/vitess-cluster.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";

/** A fault of the node that takes the writes, while everybody writes. */
export interface Fault {
  readonly title: string;
  strike(cluster: Cluster, writer: ClusterNode): Promise<unknown>;
  /** Resolves when all nodes are one cluster again. */
  heal(cluster: Cluster, writer: ClusterNode): Promise<unknown>;
}

/** A kind of cluster of the product that is tested. */
export interface Kind {
  readonly name: string;
  begin(): Promise<Cluster>;
  readonly faults: readonly Fault[];
  /** What can end between a client and the server while a COMMIT waits, besides the connection. */
  readonly betweens: readonly Fault[];
  /** The state of a server's connection whose COMMIT waits for the other nodes. */
  readonly committing: RegExp;
  /** A setting that the service must notice: a wrong value, and the value of the cluster's configuration. */
  readonly setting: { readonly name: string; readonly wrong: string; readonly right: string };
}

const EVERYWHERE: readonly Fault[] = [
  {
    title: "kill -9 of the node",
    strike: (_, node) => node.kill(),
    heal: (cluster, node) => cluster.rejoin(node),
  },
  {
    title: "the node is cut off from the others",
    strike: async (cluster, node) => {
      await node.isolate();
      await cluster.untilPutOut(node);
    },
    heal: async (cluster, node) => {
      await node.heal();
      await cluster.reunite(node);
    },
  },
];

const vitess = (cluster: Cluster): VitessCluster => cluster as VitessCluster;
const tabletOf = (cluster: Cluster, node: ClusterNode) =>
  vitess(cluster).nodes.find((one) => one === node)?.tablet ?? vitess(cluster).nodes[0].tablet;

const VITESS: readonly Fault[] = [
  {
    title: "kill -9 of the vttablet",
    strike: (cluster, node) => vitess(cluster).vitess.kill(tabletOf(cluster, node).program),
    heal: async (cluster, node) => {
      tabletOf(cluster, node).startTablet();
      await cluster.reunite(node);
    },
  },
  {
    title: "kill -9 of the vtgate",
    strike: (cluster) => vitess(cluster).killGate(0),
    heal: (cluster) => vitess(cluster).startGate(0),
  },
];
const MYSQLD: Fault = {
  title: "kill -9 of the mysqld alone",
  strike: (cluster, node) => tabletOf(cluster, node).server.kill(),
  heal: async (cluster, node) => {
    await tabletOf(cluster, node).server.restart();
    await cluster.reunite(node);
  },
};

const group = (primaries: "single" | "multi", name: string): Kind => ({
  name,
  begin: () => GroupCluster.begin(primaries),
  faults: EVERYWHERE,
  betweens: [],
  committing: /commit/i,
  setting: { name: "group_replication_autorejoin_tries", wrong: "3", right: "0" },
});

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  MariaDB: [
    {
      name: "Galera",
      begin: () => GaleraCluster.begin(),
      faults: EVERYWHERE,
      betweens: [],
      committing: /certification/,
      setting: { name: "wsrep_provider_options", wrong: "'pc.ignore_sb=true'", right: "'pc.ignore_sb=false'" },
    },
  ],
  MySQL: [group("single", "a group with one primary"), group("multi", "a group whose members all take writes")],
  Vitess: [
    {
      name: "Vitess",
      begin: () => VitessCluster.begin(),
      faults: [...EVERYWHERE, ...VITESS, MYSQLD],
      betweens: VITESS,
      committing: /semi-sync/,
      setting: { name: "rpl_semi_sync_source_timeout", wrong: "10000", right: "1000000000000000000" },
    },
  ],
};

/** The clusters of the product that `TEST_DATABASE` names. */
export const CLUSTERS = KINDS[PRODUCT.name] ?? [];
