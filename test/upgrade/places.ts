import { GaleraCluster } from "../../testbed/cluster/galera-cluster.ts";
import { MARIADB } from "../../testbed/database/products.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";

const DATABASE = "aggregator";

/** The database of an upgrade. */
export interface Place {
  readonly name: string;
  /** The DATABASE_URL of each replica. */
  readonly urls: readonly string[];
  /** Completes the database after its first rows were written: a cluster gets its other nodes. */
  grow(): Promise<void>;
  /** Names of the tables that differ between nodes, when nobody writes. */
  differences(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** @param replicas - how many replicas use the server. */
export async function oneServer(replicas: number): Promise<Place> {
  const server = await startDatabaseServer([], undefined, MARIADB);
  const url = await server.createDatabase(DATABASE);
  return {
    name: "MariaDB",
    urls: Array.from({ length: replicas }, () => url),
    grow: async () => {},
    differences: async () => [],
    stop: () => server.stop(),
  };
}

/** Three nodes; each replica has its own. */
export async function threeNodes(): Promise<Place> {
  const cluster = await GaleraCluster.begin();
  await cluster.nodes[0].ask(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`);
  return {
    name: "Galera, three nodes",
    urls: cluster.nodes.map((node) => node.url(DATABASE)),
    grow: () => cluster.grow(),
    differences: () => cluster.differences(DATABASE),
    stop: () => cluster.stop(),
  };
}
