import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GaleraNode } from "./galera-node.ts";

const NODES = ["n1", "n2", "n3"] as const;
const POLL_MS = 50;
const NOTICED_WITHIN_MS = 60_000;
/**
 * The maximum number of comparisons of the tables. One comparison is not enough, because heartbeats change meanwhile.
 */
const COMPARISONS_MAX = 20;

/** Three MariaDB servers that are one database, each with its own ports and folder. */
export class GaleraCluster {
  readonly nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  readonly #folder: string;

  private constructor(folder: string, nodes: readonly [GaleraNode, GaleraNode, GaleraNode]) {
    this.#folder = folder;
    this.nodes = nodes;
    process.once("exit", this.#clear);
  }

  /** Starts only the first node, so that row numbers are 1, 2, 3. {@link grow} adds the other nodes. */
  static async begin(): Promise<GaleraCluster> {
    const folder = mkdtempSync(join(tmpdir(), "galera-"));
    // The servers may run as another user.
    chmodSync(folder, 0o755);
    const [a, b, c] = [
      await GaleraNode.create(NODES[0], folder),
      await GaleraNode.create(NODES[1], folder),
      await GaleraNode.create(NODES[2], folder),
    ];
    const cluster = new GaleraCluster(folder, [a, b, c]);
    try {
      a.install();
      await a.start([]);
      return cluster;
    } catch (cause) {
      await cluster.stop();
      throw cause;
    }
  }

  /** Starts the other nodes. They join, and each gets a full copy. */
  grow(): Promise<void> {
    return this.#joinedBy(this.nodes[0]);
  }

  /** Every node except this node. */
  others(node: GaleraNode): readonly GaleraNode[] {
    return this.nodes.filter((one) => one !== node);
  }

  /** Resolves when the other nodes work without this node. */
  async untilPutOut(node: GaleraNode): Promise<void> {
    await within(NOTICED_WITHIN_MS, "the others still count it", async () =>
      (await this.#counted(this.others(node))).every((size) => size === 2),
    );
  }

  /** Resolves when all three are one group and up to date. */
  async untilComplete(): Promise<void> {
    for (const node of this.nodes) await node.untilSynced();
    await within(NOTICED_WITHIN_MS, "the group isn't whole", async () =>
      (await this.#counted(this.nodes)).every((size) => size === 3),
    );
    for (const node of this.nodes) await node.untilSynced();
  }

  async rejoin(node: GaleraNode): Promise<void> {
    await node.start(this.#addresses);
    await this.untilComplete();
  }

  /**
   * Starts the cluster after all nodes were killed: the node with the newest data begins the cluster, and the other
   * nodes join. Returns the name of this node.
   */
  async startAgain(): Promise<string> {
    const positions = this.nodes.map((node) => ({ node, seqno: node.recover().seqno }));
    const furthest = positions.reduce((best, one) => (one.seqno > best.seqno ? one : best));
    await furthest.node.start([]);
    await this.#joinedBy(furthest.node);
    return `${furthest.node.name} at ${furthest.seqno}`;
  }

  /** The tables that differ between nodes when no writes run; empty: all three nodes have the same rows. */
  async differences(database: string): Promise<string[]> {
    for (let comparisons = 1; ; comparisons++) {
      const sums = await Promise.all(this.nodes.map((node) => this.#checksums(node, database)));
      const tables = [...new Set(sums.flatMap((one) => [...one.keys()]))];
      const different = tables.filter((table) => new Set(sums.map((one) => one.get(table))).size > 1);
      if (different.length === 0 || comparisons === COMPARISONS_MAX) return different;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    process.off("exit", this.#clear);
    this.#clear();
  }

  readonly #clear = (): void => {
    for (const node of this.nodes) node.end();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  };

  get #addresses(): readonly string[] {
    return this.nodes.map((node) => node.groupAddress);
  }

  async #joinedBy(first: GaleraNode): Promise<void> {
    // The nodes start one after the other, because each may need a full copy.
    for (const node of this.others(first)) await node.start(this.#addresses);
    await this.untilComplete();
  }

  async #counted(nodes: readonly GaleraNode[]): Promise<readonly number[]> {
    return Promise.all(nodes.map((node) => node.groupSize().catch(() => 0)));
  }

  async #checksums(node: GaleraNode, database: string): Promise<ReadonlyMap<string, string>> {
    await node.ask("SET SESSION wsrep_sync_wait = 15");
    const tables = await node.ask(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${database}'`,
    );
    const names = tables.map(({ name }) => `${database}.${name}`).sort();
    const found = await node.ask(`CHECKSUM TABLE ${names.join(", ")} EXTENDED`);
    return new Map(found.map((row) => [String(row.Table), String(row.Checksum)]));
  }
}

async function within(ms: number, otherwise: string, happened: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + ms; !(await happened()); ) {
    if (performance.now() > until) throw new Error(`${otherwise} after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
