import { cpSync } from "node:fs";
import { obtainMysql } from "../database/mysql-server.ts";
import { RootConnection } from "../database/root-connection.ts";
import { applyBinaryLog, type KeyspaceBackup } from "../vitess/keyspace-backup.ts";
import { obtainVitess } from "../vitess/programs.ts";
import { Tablet, Vitess } from "../vitess/vitess.ts";
import {
  type Cluster,
  type ClusterNode,
  differentTables,
  NODE_NAMES,
  NOTICED_WITHIN_MS,
  pidsOf,
  within,
} from "./cluster.ts";
import { Network } from "./network.ts";

const KEYSPACE = "aggregator";
const APPLIED_WITHIN_MS = 60_000;
const MENDED_WITHIN_MS = 10_000;
const CHANGED_WITHIN_MS = 120_000;
/** Comparisons of tables need no preparation, because they wait for replication before. */
const NOTHING = "DO 0";

/** A MySQL with its vttablet, in its own network. Both are lost together, as with the machine that they run on. */
class VitessNode implements ClusterNode {
  readonly name: string;
  readonly tablet: Tablet;
  readonly #network: Network;
  readonly #vitess: Vitess;
  readonly #place: number;

  constructor(tablet: Tablet, vitess: Vitess, network: Network, place: number) {
    this.name = NODE_NAMES[place] as string;
    this.tablet = tablet;
    this.#vitess = vitess;
    this.#network = network;
    this.#place = place;
  }

  get pid(): number {
    return this.tablet.server.pid;
  }

  get data(): string {
    return this.tablet.server.data;
  }

  ask(sql: string, limitMs?: number) {
    return this.tablet.ask(sql, limitMs);
  }

  url(database: string): string {
    return this.tablet.server.url(database);
  }

  async kill(): Promise<void> {
    this.tablet.close();
    await Promise.all([this.tablet.server.kill(), this.#vitess.kill(this.tablet.program)]);
  }

  pause(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  isolate(): Promise<void> {
    return this.#network.disconnect(this.#place);
  }

  heal(): Promise<void> {
    return this.#network.connect(this.#place);
  }

  #signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
    this.#vitess.signal(this.tablet.program, signal);
  }
}

/**
 * Three tablets of one shard, of which one is the primary, and vtorc, which chooses another primary when it is lost. Each
 * replica of the service has its own vtgate.
 */
export class VitessCluster implements Cluster {
  readonly name = "Vitess";
  readonly nodes: readonly [VitessNode, VitessNode, VitessNode];
  readonly vitess: Vitess;
  readonly #network: Network;
  readonly #gates: readonly string[];

  private constructor(nodes: readonly VitessNode[], vitess: Vitess, network: Network, gates: readonly string[]) {
    this.nodes = nodes as unknown as VitessCluster["nodes"];
    this.vitess = vitess;
    this.#network = network;
    this.#gates = gates;
  }

  /** @param more - options of each MySQL that replace the usual ones. */
  static async begin(more: readonly string[] = []): Promise<VitessCluster> {
    obtainMysql();
    obtainVitess();
    const network = await Network.open(NODE_NAMES.length + 1);
    const vitess = new Vitess(network, NODE_NAMES.length, KEYSPACE);
    const nodes: VitessNode[] = [];
    try {
      await vitess.start();
      for (const place of NODE_NAMES.keys())
        nodes.push(new VitessNode(await Tablet.start(vitess, place, more), vitess, network, place));
      const gates: string[] = [];
      for (const place of NODE_NAMES.keys()) gates.push(await vitess.startGate(gateOf(place)));
      const cluster = new VitessCluster(nodes, vitess, network, gates);
      await cluster.#untilComplete();
      return cluster;
    } catch (cause) {
      for (const { tablet } of nodes) await tablet.stop();
      vitess.stop();
      network.close();
      throw cause;
    }
  }

  url(node: number, database: string): string {
    return `mysql://root@localhost/${database}?socketPath=${encodeURIComponent(this.#gates[node] as string)}`;
  }

  get pids(): readonly number[] {
    const programs = [...this.nodes.map(({ tablet }) => tablet.program), ...NODE_NAMES.keys().map(gateOf)];
    return [...pidsOf(this.nodes), ...programs.map((name) => this.vitess.pid(name))];
  }

  /** A keyspace has its database from the beginning. A statement at one MySQL alone would separate it from the others. */
  async create(): Promise<void> {}

  /** All tablets have been there from the beginning. */
  async grow(): Promise<void> {}

  /** The tablet that takes writes, as the topology says. */
  async primary(): Promise<VitessNode | undefined> {
    const tablets = await this.vitess.control("GetTablets", "--keyspace", KEYSPACE);
    const line = tablets.split("\n").find((one) => one.includes(" primary "));
    return this.nodes.find(({ tablet }) => line?.startsWith(`z-0000000${tablet.alias.slice(2)} `));
  }

  /** A lost primary is still the primary in the topology, but it takes no writes when it starts again. */
  async writer(): Promise<VitessNode> {
    let primary: VitessNode | undefined;
    await within(NOTICED_WITHIN_MS, "the shard has no primary", async () => {
      primary = await this.primary();
      const [found] = (await primary?.ask("SELECT @@GLOBAL.super_read_only AS closed").catch(() => [])) ?? [];
      return Number(found?.closed) === 0;
    }).catch(this.#explain);
    return primary as VitessNode;
  }

  async promote(node: ClusterNode): Promise<void> {
    if (node !== (await this.writer())) await this.reparent("PlannedReparentShard", node as VitessNode);
  }

  async untilPutOut(node: ClusterNode): Promise<void> {
    await within(NOTICED_WITHIN_MS, `${node.name} is still the primary`, async () => {
      const primary = await this.primary();
      return primary !== undefined && primary !== node;
    }).catch(this.#explain);
  }

  /** Mends what Vitess does not mend by itself, see docs/deployment.md. */
  async reunite(): Promise<void> {
    for (const node of this.nodes) {
      if (node === (await this.writer()) || (await replicatesSoon(node))) continue;
      // Meanwhile vtorc may have made it the primary, whose data must stay as they are.
      if (node === (await this.writer())) continue;
      // Commits that wait for an answer of a replica stop everything, until the server is killed.
      await node.kill();
      await this.#start(node);
      const primary = await this.writer();
      if (node !== primary && (await hasErrant(node, primary))) await node.tablet.rebuild(primary.tablet);
    }
    await this.#untilComplete();
  }

  async rejoin(node: ClusterNode): Promise<void> {
    await this.#start(node as VitessNode);
    await this.reunite();
  }

  async startAgain(): Promise<string> {
    await Promise.all(this.nodes.map((node) => this.#start(node)));
    await this.reunite();
    return (await this.primary())?.name ?? "";
  }

  /**
   * Puts a base backup into the empty data folders of all killed nodes. Applies a binary log at one node. The servers run
   * then, and {@link startTablets} starts the rest.
   *
   * @returns the size of the log.
   */
  async restore(node: VitessNode, { folder }: KeyspaceBackup, log: readonly string[]): Promise<number> {
    for (const { data } of this.nodes) cpSync(folder, data, { recursive: true });
    for (const { tablet } of this.nodes) await tablet.server.restart();
    return applyBinaryLog(node.tablet, log);
  }

  /** Starts the vttablets of servers that run. Resolves when one of them is the primary, and the others replicate. */
  async startTablets(): Promise<void> {
    for (const { tablet } of this.nodes) tablet.startTablet();
    await this.reunite();
  }

  /** Starts a killed node. */
  async #start({ tablet }: VitessNode): Promise<void> {
    await tablet.server.restart();
    tablet.startTablet();
  }

  /** Makes another tablet the primary, by a command of vtctldclient. */
  async reparent(command: "PlannedReparentShard" | "EmergencyReparentShard", to?: VitessNode): Promise<void> {
    const primary = await this.primary();
    const next = to ?? (this.nodes.find((node) => node !== primary) as VitessNode);
    await this.vitess.control(command, `${KEYSPACE}/0`, "--new-primary", next.tablet.alias);
  }

  /** Runs a schema change in Vitess' own way, and waits until it is complete. */
  async changeSchema(alter: string): Promise<void> {
    const gate = new RootConnection({ socketPath: this.#gates[0] as string });
    try {
      await gate.ask(`USE ${KEYSPACE}`);
      await gate.ask("SET @@ddl_strategy = 'vitess'");
      const [asked] = await gate.ask(alter);
      const uuid = Object.values(asked ?? {})[0];
      let state: unknown;
      const isComplete = async () => {
        const [found] = await gate.ask(`SHOW VITESS_MIGRATIONS LIKE '${uuid}'`);
        state = `${found?.migration_status}: ${found?.message}`;
        return found?.migration_status === "complete";
      };
      await within(CHANGED_WITHIN_MS, "the schema change is not complete", isComplete).catch((cause) => {
        throw new Error(`${cause.message}: ${state}`, { cause });
      });
    } finally {
      gate.close();
    }
  }

  /** `kill -9` of the vtgate of a replica of the service. */
  killGate(place: number): Promise<void> {
    return this.vitess.kill(gateOf(place));
  }

  async startGate(place: number): Promise<void> {
    await this.vitess.startGate(gateOf(place));
  }

  async untilApplied(): Promise<void> {
    const primary = await this.primary();
    const done = primary === undefined ? "" : await executed(primary);
    for (const node of this.nodes)
      await node.ask(`SELECT WAIT_FOR_EXECUTED_GTID_SET('${done}', ${APPLIED_WITHIN_MS / 1_000})`, APPLIED_WITHIN_MS);
  }

  async differences(database: string): Promise<string[]> {
    await this.untilApplied();
    return differentTables(this.nodes, database, NOTHING);
  }

  async stop(): Promise<void> {
    for (const { tablet } of this.nodes) await tablet.stop();
    this.vitess.stop();
    this.#network.close();
  }

  /** Resolves when one tablet is the primary, the others replicate from it, and each gate reaches it. */
  async #untilComplete(): Promise<void> {
    await within(NOTICED_WITHIN_MS, "the tablets are not one shard", async () => {
      const primary = await this.primary();
      if (primary === undefined) return false;
      const replicating = await Promise.all(
        this.nodes.map(async (node) => {
          // A tablet without its vttablet cannot become the primary.
          if (
            await this.vitess.control("PingTablet", node.tablet.alias).then(
              () => false,
              () => true,
            )
          )
            return false;
          return node === primary || replicates(node);
        }),
      );
      return !replicating.includes(false);
    }).catch(this.#explain);
  }

  /** Adds to an error what the programs say of the shard. */
  readonly #explain = async (cause: Error): Promise<never> => {
    const tablets = await this.vitess.control("GetTablets").catch(String);
    const states = await Promise.all(
      this.nodes.map(async (node) => {
        const [state] = await node.ask("SHOW REPLICA STATUS").catch(() => []);
        const {
          Replica_IO_Running: io,
          Replica_SQL_Running: sql,
          Last_IO_Error: ioError,
          Last_SQL_Error: sqlError,
        } = state ?? {};
        return `${node.name}: ${io}, ${sql}, ${ioError}, ${sqlError}`;
      }),
    );
    const ended = `ended: ${this.vitess.ended.join(", ")}`;
    const text = [cause.message, ended, tablets, ...states, this.vitess.log("vtorc")].join("\n");
    throw new Error(text, { cause });
  };
}

/** The transactions that a node has. */
async function executed(node: VitessNode): Promise<string> {
  const [found] = await node.ask("SELECT @@GLOBAL.gtid_executed AS done");
  return String(found?.done).replaceAll("\n", "");
}

async function replicates(node: VitessNode): Promise<boolean> {
  const [state] = await node.ask("SHOW REPLICA STATUS").catch(() => []);
  return state?.Replica_IO_Running === "Yes" && state.Replica_SQL_Running === "Yes";
}

/** vtorc makes a tablet replicate that came back and has nothing of its own. */
const replicatesSoon = (node: VitessNode): Promise<boolean> =>
  within(MENDED_WITHIN_MS, "it does not replicate", () => replicates(node)).then(
    () => true,
    () => false,
  );

/**
 * Whether a node has commits that the primary does not have. A former primary may have such commits after its loss. The
 * service was never told that they succeeded, and Vitess refuses such a tablet.
 */
async function hasErrant(node: VitessNode, primary: VitessNode): Promise<boolean> {
  // The primary is asked later, so it has everything that the node got from it.
  const done = await executed(node);
  const [found] = await primary.ask(`SELECT GTID_SUBTRACT('${done}', '${await executed(primary)}') AS errant`);
  return found?.errant !== "";
}

const gateOf = (place: number): string => `gate${place}`;
