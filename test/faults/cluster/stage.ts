import type { Cluster } from "../../../testbed/cluster/cluster.ts";
import { judge } from "../../../testbed/judge/judge.ts";
import { type Violation, violation } from "../../../testbed/judge/record.ts";
import { settled } from "../../../testbed/judge/stored-rows.ts";
import { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Replica } from "../../../testbed/service/replica.ts";
import { Installation } from "../../../testbed/stage/installation.ts";
import { Players } from "../../../testbed/stage/players.ts";
import { SOME_FAULTS } from "../../../testbed/wallet/behaviour.ts";

export const DATABASE = "aggregator";
/** Longer times, because the wallet shares a busy machine. */
const PATIENT = { WALLET_TIMEOUT_MS: "1500", LEASE_MARGIN_MS: "1500" };
const READY_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** Three database nodes with a replica of the service on each, a wallet, a provider, and players. */
export class Stage {
  readonly cluster: Cluster;
  readonly installation: Installation;
  readonly players: Players;
  /** See the judge's RunConditions. */
  readonly deaths: number[] = [];
  readonly #replicas: Replica[] = [];

  private constructor(cluster: Cluster, installation: Installation, seed: number) {
    this.cluster = cluster;
    this.installation = installation;
    this.players = new Players(installation, () => this.#replicas, new SeededRandom(seed));
  }

  /** @param cluster - has only its first node so far. {@link close} stops it. */
  static async set(cluster: Cluster, seed: number): Promise<Stage> {
    const begun: { close(): Promise<void> }[] = [{ close: () => cluster.stop() }];
    try {
      await cluster.create(DATABASE);
      const installation = await Installation.open({ databaseUrl: cluster.url(0, DATABASE), env: PATIENT });
      begun.unshift(installation);
      await cluster.grow();
      await installation.wallet.rates(SOME_FAULTS, seed);
      const stage = new Stage(cluster, installation, seed);
      for (const i of cluster.nodes.keys()) await stage.startReplica(i);
      return stage;
    } catch (cause) {
      for (const one of begun) await one.close();
      throw cause;
    }
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  /** Starts the replica of a node. It replaces a killed process. */
  async startReplica(i: number): Promise<void> {
    this.#replicas[i] = await this.installation.startReplica({ DATABASE_URL: this.cluster.url(i, DATABASE) });
  }

  /** Names of the tables that are not the same on all nodes. */
  differences(): Promise<string[]> {
    return this.cluster.differences(DATABASE);
  }

  /** The replicas that are ready now. */
  async ready(): Promise<readonly boolean[]> {
    return Promise.all(this.#replicas.map((replica) => replica.isReady()));
  }

  async untilReady(): Promise<void> {
    for (const until = performance.now() + READY_WITHIN_MS; (await this.ready()).includes(false); ) {
      if (performance.now() > until) throw new Error(`the replicas aren't all ready after ${READY_WITHIN_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Waits until all work has ended, judges the run, and compares the three nodes. Call it when no player plays. */
  async judged(): Promise<Violation[]> {
    const { installation, replicas } = this;
    await settled(installation.database, SETTLED_WITHIN_MS);
    const ended = replicas
      .filter((replica) => !replica.isRunning)
      .map(({ output }) => `a replica ended by itself:\n${output().slice(-2_000)}`);
    const broken = installation.history.operations.flatMap(({ content, outcome }) =>
      outcome.kind === "refused" && outcome.code === "INTERNAL_ERROR"
        ? [`${content.txId} was answered INTERNAL_ERROR`]
        : [],
    );
    const conditions = { healed: true, standstills: [], deaths: this.deaths, bugs: [...ended, ...broken] };
    const tables = await this.differences();
    const different = tables.map((table) => violation("I3", table, "isn't the same on all nodes"));
    const alarms = (await this.falseAlarms()).map((detail) => violation("I0", "database_unsafe", detail));
    return [...(await judge(installation, conditions, replicas[0]?.origin ?? "")), ...different, ...alarms];
  }

  /** The clusters have the settings that docs/deployment.md recommends, also after a change of the primary. */
  async falseAlarms(): Promise<readonly string[]> {
    const { database } = this.installation;
    const raised = await database.knex("alerts").where({ name: "database_unsafe" }).select("detail");
    return raised.map(({ detail }) => String(detail));
  }

  async close(): Promise<void> {
    // After an error they may still play.
    await this.players.pause();
    await this.installation.close();
    await this.cluster.stop();
  }
}
