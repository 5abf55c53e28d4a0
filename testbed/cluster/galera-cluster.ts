import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allApplied,
  type Cluster,
  createOn,
  differentTables,
  NODE_NAMES,
  NOTICED_WITHIN_MS,
  pidsOf,
  within,
} from "./cluster.ts";
import { GaleraNode } from "./galera-node.ts";

/** A session with this setting sees every write that any node has acknowledged. */
const SEE_ALL = "SET SESSION wsrep_sync_wait = 15";

/** Three MariaDB servers that are one database, each with its own ports and folder. */
export class GaleraCluster implements Cluster {
  readonly name = "Galera";
  readonly nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  readonly #folder: string;

  private constructor(folder: string, nodes: readonly [GaleraNode, GaleraNode, GaleraNode]) {
    this.#folder = folder;
    this.nodes = nodes;
    process.once("exit", this.#clear);
  }

  /**
   * Starts only the first node, so that row numbers are 1, 2, 3. {@link grow} adds the other nodes.
   *
   * @param more - options of each server that replace the usual ones.
   */
  static async begin(more: readonly string[] = []): Promise<GaleraCluster> {
    const folder = mkdtempSync(join(tmpdir(), "galera-"));
    // The servers may run as another user.
    chmodSync(folder, 0o755);
    const [a, b, c] = [
      await GaleraNode.create(NODE_NAMES[0], folder, more),
      await GaleraNode.create(NODE_NAMES[1], folder, more),
      await GaleraNode.create(NODE_NAMES[2], folder, more),
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

  /** Each replica has its own node. */
  url(node: number, database: string): string {
    return (this.nodes[node] as GaleraNode).url(database);
  }

  get pids(): readonly number[] {
    return pidsOf(this.nodes);
  }

  create(database: string): Promise<void> {
    return createOn(this.nodes[0], database);
  }

  grow(): Promise<void> {
    return this.#joinedBy(this.nodes[0]);
  }

  async writer(): Promise<GaleraNode> {
    return this.nodes[0];
  }

  async promote(): Promise<void> {}

  #others(node: GaleraNode): readonly GaleraNode[] {
    return this.nodes.filter((one) => one !== node);
  }

  async untilPutOut(node: GaleraNode): Promise<void> {
    await within(NOTICED_WITHIN_MS, "the others still count it", async () =>
      (await this.#counted(this.#others(node))).every((size) => size === 2),
    );
  }

  /** A node that was away joins again by itself. */
  reunite(): Promise<void> {
    return this.#untilComplete();
  }

  async #untilComplete(): Promise<void> {
    for (const node of this.nodes) await node.untilSynced();
    await within(NOTICED_WITHIN_MS, "the group isn't whole", async () =>
      (await this.#counted(this.nodes)).every((size) => size === 3),
    );
    for (const node of this.nodes) await node.untilSynced();
  }

  async rejoin(node: GaleraNode): Promise<void> {
    await node.start(this.#addresses);
    await this.#untilComplete();
  }

  async startAgain(): Promise<string> {
    const positions = this.nodes.map((node) => ({ node, seqno: node.recover().seqno }));
    const furthest = positions.reduce((best, one) => (one.seqno > best.seqno ? one : best));
    await furthest.node.start([]);
    await this.#joinedBy(furthest.node);
    return `${furthest.node.name} at ${furthest.seqno}`;
  }

  untilApplied(database: string): Promise<void> {
    return allApplied(this.nodes, database, SEE_ALL);
  }

  differences(database: string): Promise<string[]> {
    return differentTables(this.nodes, database, SEE_ALL);
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
    for (const node of this.#others(first)) await node.start(this.#addresses);
    await this.#untilComplete();
  }

  async #counted(nodes: readonly GaleraNode[]): Promise<readonly number[]> {
    return Promise.all(nodes.map((node) => node.groupSize().catch(() => 0)));
  }
}
