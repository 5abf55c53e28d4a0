/** Three database servers that are one database. The faults, the probes and the judge know nothing else of it. */

export interface ClusterNode {
  readonly name: string;
  /** Of its server while it runs. */
  readonly pid: number;
  /** The folder of its server's files. */
  readonly data: string;
  /** Runs a statement as root, even on a node that refuses other users. */
  ask(sql: string, limitMs?: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The DATABASE_URL of a client of this node alone. */
  url(database: string): string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** SIGSTOP. */
  pause(): void;
  resume(): void;
  /** Separates the node from the other nodes. Its clients still reach it. */
  isolate(): Promise<void>;
  /** Ends the isolation. */
  heal(): Promise<void>;
}

export interface Cluster {
  /** For the report, for example `Galera`. */
  readonly name: string;
  readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode];
  /** The programs that run now and through which a statement passes. */
  readonly pids: readonly number[];
  /** Creates the only database. The cluster has only its first node so far. */
  create(database: string): Promise<void>;
  /** The DATABASE_URL of the replica beside a node. */
  url(node: number, database: string): string;
  /** The node that takes the writes of the replica beside the first node. */
  writer(): Promise<ClusterNode>;
  /** Makes a node the one that takes all writes, if there is only one such node. */
  promote(node: ClusterNode): Promise<void>;
  /** Adds the other nodes to the first. They get a copy of its data. */
  grow(): Promise<void>;
  /** Resolves when the other nodes work without this node. */
  untilPutOut(node: ClusterNode): Promise<void>;
  /** Brings a node back that was isolated or paused. Resolves when all three are one group and up to date. */
  reunite(node: ClusterNode): Promise<void>;
  /** Starts a killed node, and does the same. */
  rejoin(node: ClusterNode): Promise<void>;
  /**
   * Starts the cluster after all nodes were killed: the node with the newest data begins it, and the other nodes join.
   * Returns a text about this node.
   */
  startAgain(): Promise<string>;
  /** Resolves when every node has applied all writes that any node acknowledged before. */
  untilApplied(database: string): Promise<void>;
  /** The tables that differ between nodes when no writes run; empty: all three nodes have the same rows. */
  differences(database: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** The names of the nodes. */
export const NODE_NAMES = ["n1", "n2", "n3"] as const;

const POLL_MS = 50;
/** How long a group may take to notice a change of its members. */
export const NOTICED_WITHIN_MS = 60_000;
/** How long a node may take to apply the writes of the others. */
const APPLIED_WITHIN_MS = 60_000;
/**
 * The maximum number of comparisons of the tables. One comparison is not enough, because heartbeats change meanwhile.
 */
const COMPARISONS_MAX = 20;

/** See {@link Cluster.pids}. Only the first node runs before the cluster has grown. */
export const pidsOf = (nodes: readonly ClusterNode[]): readonly number[] =>
  nodes.map(({ pid }) => pid).filter((pid) => pid !== 0);

/** See {@link Cluster.create}. */
export async function createOn(node: ClusterNode, database: string): Promise<void> {
  await node.ask(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
}

/** See {@link Cluster.untilApplied}. `preparation` makes a session see every write that any node has acknowledged. */
export async function allApplied(nodes: readonly ClusterNode[], database: string, preparation: string): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      await node.ask(preparation);
      // It reads a table, so that it must wait for the writes before it.
      await node.ask(`SELECT id FROM ${database}.merchants LIMIT 1`, APPLIED_WITHIN_MS);
    }),
  );
}

/** See {@link Cluster.differences}. `preparation` makes a session see every write that any node has acknowledged. */
export async function differentTables(
  nodes: readonly ClusterNode[],
  database: string,
  preparation: string,
): Promise<string[]> {
  for (let comparisons = 1; ; comparisons++) {
    const sums = await Promise.all(nodes.map((node) => checksums(node, database, preparation)));
    const tables = [...new Set(sums.flatMap((one) => [...one.keys()]))];
    const different = tables.filter((table) => new Set(sums.map((one) => one.get(table))).size > 1);
    if (different.length === 0 || comparisons === COMPARISONS_MAX) return different;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function checksums(
  node: ClusterNode,
  database: string,
  preparation: string,
): Promise<ReadonlyMap<string, string>> {
  await node.ask(preparation);
  const tables = await node.ask(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${database}'`,
  );
  const names = tables.map(({ name }) => `${database}.${name}`).sort();
  const found = await node.ask(`CHECKSUM TABLE ${names.join(", ")} EXTENDED`);
  return new Map(found.map((row) => [String(row.Table), String(row.Checksum)]));
}

/** Resolves when `happened` returns true. */
export async function within(ms: number, otherwise: string, happened: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + ms; !(await happened()); ) {
    if (performance.now() > until) throw new Error(`${otherwise} after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
