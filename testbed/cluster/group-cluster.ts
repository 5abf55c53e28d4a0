import { randomUUID } from "node:crypto";
import { obtainMysql } from "../database/mysql-server.ts";
import { MYSQL } from "../database/products.ts";
import {
  allApplied,
  type Cluster,
  type ClusterNode,
  createOn,
  differentTables,
  NODE_NAMES,
  NOTICED_WITHIN_MS,
  pidsOf,
  within,
} from "./cluster.ts";
import { GroupMember, type GroupSettings, type Primaries } from "./mysql-group.ts";
import { Network } from "./network.ts";
import { PrimaryProxy } from "./primary-proxy.ts";

const PORTS = { sql: 3306, group: 33061 };
/** A session with this setting sees every write that any member has acknowledged. */
const SEE_ALL = "SET SESSION group_replication_consistency = 'BEFORE'";
/** Rights on one database only, because root is served even by a member that has left its group. */
const SERVICE_USER = ["CREATE USER service@localhost", "GRANT ALL ON aggregator.* TO service@localhost"];

/** A member of the group, in its own network. Clients reach it over its socket. */
class GroupNode implements ClusterNode {
  readonly name: string;
  readonly member: GroupMember;
  readonly #network: Network;
  readonly #place: number;

  constructor(member: GroupMember, network: Network, place: number) {
    this.name = NODE_NAMES[place] as string;
    this.member = member;
    this.#network = network;
    this.#place = place;
  }

  get pid(): number {
    return this.member.server.pid;
  }

  get data(): string {
    return this.member.server.data;
  }

  ask(sql: string, limitMs?: number) {
    return this.member.ask(sql, limitMs);
  }

  url(database: string): string {
    return this.member.server.url(database).replace("root@", "service@");
  }

  kill(): Promise<void> {
    return this.member.kill();
  }

  pause(): void {
    process.kill(this.pid, "SIGSTOP");
  }

  resume(): void {
    process.kill(this.pid, "SIGCONT");
  }

  isolate(): Promise<void> {
    return this.#network.disconnect(this.#place);
  }

  heal(): Promise<void> {
    return this.#network.connect(this.#place);
  }
}

/** Three MySQL servers with group replication, each in its own network. */
export class GroupCluster implements Cluster {
  readonly name: string;
  readonly nodes: readonly [GroupNode, GroupNode, GroupNode];
  readonly #network: Network;
  /** null: all members take writes, and each replica has its own. */
  readonly #proxy: PrimaryProxy | null;

  private constructor(nodes: readonly GroupNode[], network: Network, proxy: PrimaryProxy | null) {
    this.name = `MySQL group replication, ${proxy === null ? "all members take writes" : "one primary"}`;
    this.nodes = nodes as unknown as GroupCluster["nodes"];
    this.#network = network;
    this.#proxy = proxy;
  }

  /** @param more - options of each server that replace the usual ones. */
  static async begin(primaries: Primaries, more: readonly string[] = []): Promise<GroupCluster> {
    obtainMysql();
    const network = await Network.open(NODE_NAMES.length);
    const addresses = NODE_NAMES.map((_, place) => ({ host: network.host(place), ...PORTS }));
    const settings: GroupSettings = { name: randomUUID(), addresses, primaries, more };
    const members: GroupMember[] = [];
    try {
      for (const place of NODE_NAMES.keys()) {
        const [program, ...words] = network.within(place);
        const product = { ...MYSQL, program, options: [...words, MYSQL.program, ...MYSQL.options] };
        members.push(await GroupMember.start(place, settings, product));
      }
      const first = members[0] as GroupMember;
      for (const statement of SERVICE_USER) await first.ask(statement);
      const nodes = members.map((member, place) => new GroupNode(member, network, place));
      if (primaries === "multi") return new GroupCluster(nodes, network, null);
      await first.begin();
      const proxy = await PrimaryProxy.start(members.map(({ socketPath }) => socketPath));
      const cluster = new GroupCluster(nodes, network, proxy);
      await cluster.#untilPrimary();
      return cluster;
    } catch (cause) {
      for (const member of members) await member.stop();
      network.close();
      throw cause;
    }
  }

  url(node: number, database: string): string {
    if (this.#proxy !== null) return `mysql://service@127.0.0.1:${this.#proxy.port}/${database}`;
    return (this.nodes[node] as GroupNode).url(database);
  }

  get pids(): readonly number[] {
    return pidsOf(this.nodes);
  }

  create(database: string): Promise<void> {
    return createOn(this.nodes[0], database);
  }

  async grow(): Promise<void> {
    const [first] = this.nodes;
    // In a group that takes writes everywhere, row numbers have gaps. The first rows must not have them.
    if (this.#proxy === null) await first.member.begin();
    await this.#joinedBy(first);
  }

  async writer(): Promise<GroupNode> {
    if (this.#proxy === null) return this.nodes[0];
    await this.#untilPrimary();
    return this.nodes.find(({ member }) => member.socketPath === this.#proxy?.primary) as GroupNode;
  }

  async promote(node: ClusterNode): Promise<void> {
    if (this.#proxy === null) return;
    await node.ask("DO group_replication_set_as_primary(@@GLOBAL.server_uuid)", NOTICED_WITHIN_MS);
    await within(NOTICED_WITHIN_MS, "another member is the primary", async () => (await this.writer()) === node);
  }

  async untilPutOut(node: ClusterNode): Promise<void> {
    const others = this.nodes.filter((one) => one !== node);
    for (const { member } of others) await member.untilOnline(others.length);
  }

  /** A member that the others have excluded does not come back by itself. */
  async reunite(node: ClusterNode): Promise<void> {
    const { member } = node as GroupNode;
    const others = this.nodes.filter((one) => one !== node);
    const sizes = await Promise.all(others.map(async (other) => (await other.member.states()).length));
    if (sizes.includes(others.length)) {
      // After a pause it learns only now that it was excluded.
      await within(NOTICED_WITHIN_MS, "it still counts as a member", async () => !(await member.isOnline()));
      await member.join(this.nodes.length);
    }
    await this.#untilComplete();
  }

  async rejoin(node: ClusterNode): Promise<void> {
    const { member } = node as GroupNode;
    await member.restart();
    await member.join(this.nodes.length);
    await this.#untilComplete();
  }

  async startAgain(): Promise<string> {
    await Promise.all(this.nodes.map(({ member }) => member.restart()));
    const first = await this.#furthest();
    await first.member.begin();
    await this.#joinedBy(first);
    return first.name;
  }

  untilApplied(database: string): Promise<void> {
    return allApplied(this.nodes, database, SEE_ALL);
  }

  differences(database: string): Promise<string[]> {
    return differentTables(this.nodes, database, SEE_ALL);
  }

  async stop(): Promise<void> {
    this.#proxy?.close();
    for (const { member } of this.nodes) await member.stop();
    this.#network.close();
  }

  /** The node that has every transaction that any node has. */
  async #furthest(): Promise<GroupNode> {
    const sets = await Promise.all(this.nodes.map(({ member }) => member.transactions()));
    for (const [i, node] of this.nodes.entries()) {
      const subsets = sets.map((set) => `GTID_SUBSET('${set}', '${sets[i]}')`);
      const [found] = await node.ask(`SELECT ${subsets.join(" AND ")} AS has_all`);
      if (Number(found?.has_all) === 1) return node;
    }
    throw new Error(`no node has all transactions: ${sets.join(" / ")}`);
  }

  async #joinedBy(first: GroupNode): Promise<void> {
    const others = this.nodes.filter((one) => one !== first);
    for (const [i, { member }] of others.entries()) await member.join(i + 2);
    await this.#untilComplete();
  }

  async #untilComplete(): Promise<void> {
    for (const { member } of this.nodes) await member.untilOnline(this.nodes.length);
    await this.#untilPrimary();
  }

  async #untilPrimary(): Promise<void> {
    await within(NOTICED_WITHIN_MS, "the group has no primary", async () => this.#proxy?.primary !== null);
  }
}
