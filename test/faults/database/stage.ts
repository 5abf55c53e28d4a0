import type { Database } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { keyText, type TxId } from "../../../src/domain/values/identifiers.ts";
import { type CuttingProxy, startCuttingProxy } from "../../../testbed/database/cutting-proxy.ts";
import type { DatabaseServer } from "../../../testbed/database/server.ts";
import { callsOf, judge } from "../../../testbed/judge/judge.ts";
import { type Violation, violation, type WalletCall } from "../../../testbed/judge/record.ts";
import { settled, storedRows } from "../../../testbed/judge/stored-rows.ts";
import { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { Replica } from "../../../testbed/service/replica.ts";
import { Installation } from "../../../testbed/stage/installation.ts";
import { Players } from "../../../testbed/stage/players.ts";
import { SOME_FAULTS } from "../../../testbed/wallet/behaviour.ts";
import { readLedger } from "../../../testbed/wallet/ledger-file.ts";
import { documented } from "../documented.ts";

/** The service's database user. Unlike root it cannot write to a read-only server, or connect to a full one. */
export const SERVICE = "service";
const READY_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** A MariaDB behind a proxy, two replicas of the service, a wallet, a provider, and players. */
export class Stage {
  readonly server: DatabaseServer;
  readonly proxy: CuttingProxy;
  readonly installation: Installation;
  readonly players: Players;
  /** The database's URL for root, without the proxy. */
  readonly rootUrl: string;
  /** See the judge's RunConditions. */
  readonly deaths: number[] = [];
  readonly #replicas: Replica[] = [];

  private constructor(
    server: DatabaseServer,
    proxy: CuttingProxy,
    installation: Installation,
    rootUrl: string,
    seed: number,
  ) {
    this.server = server;
    this.proxy = proxy;
    this.installation = installation;
    this.rootUrl = rootUrl;
    this.players = new Players(installation, () => this.#replicas, new SeededRandom(seed));
  }

  /** @param replicas - the number of replicas. Each replica is ready before the next replica starts. */
  static async open(server: DatabaseServer, seed: number, replicas = 2): Promise<Stage> {
    const rootUrl = await server.createDatabase();
    const proxy = await startCuttingProxy(rootUrl);
    const begun: { close(): Promise<void> }[] = [proxy];
    try {
      const installation = await Installation.open({
        databaseUrl: proxy.through(rootUrl.replace("//root@", `//${SERVICE}@`)),
        ownDatabaseUrl: rootUrl,
        migrate: async (database) => {
          await migrate(database);
          await admit(database, new URL(rootUrl).pathname.slice(1));
        },
      });
      begun.unshift(installation);
      await installation.wallet.rates(SOME_FAULTS, seed);
      const stage = new Stage(server, proxy, installation, rootUrl, seed);
      for (let i = 0; i < replicas; i++) await stage.startReplica();
      return stage;
    } catch (cause) {
      for (const one of begun) await one.close();
      throw cause;
    }
  }

  get replicas(): readonly Replica[] {
    return this.#replicas;
  }

  async startReplica(): Promise<void> {
    this.#replicas.push(await this.installation.startReplica());
  }

  /** Stops every replica with SIGTERM. Players go on calling the stopped replicas. */
  async stopReplicas(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.drain()));
  }

  /**
   * Starts a new process for each stopped replica.
   *
   * @param env - variables of these processes.
   */
  async replaceReplicas(env: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const i of this.#replicas.keys()) this.#replicas[i] = await this.installation.startReplica(env);
  }

  /** A statement by root. */
  async ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const [found] = await this.installation.database.knex.raw(sql);
    return Array.isArray(found) ? found : [];
  }

  /** A counter of the server, such as `Innodb_deadlocks`. */
  async counter(name: string): Promise<number> {
    return Number((await this.ask(`SHOW GLOBAL STATUS LIKE '${name}'`))[0]?.Value);
  }

  /**
   * Kills the service's connections, or only their statements.
   *
   * @returns how many.
   */
  async killConnections(what: "CONNECTION" | "QUERY" = "CONNECTION"): Promise<number> {
    const found = await this.ask(
      `SELECT id FROM information_schema.processlist WHERE user = '${SERVICE}' AND (command <> 'Sleep' OR '${what}' = 'CONNECTION')`,
    );
    // A connection may have ended before it is killed.
    for (const { id } of found) await this.ask(`KILL ${what} ${id}`).catch(() => {});
    return found.length;
  }

  /** Waits until every replica is ready, or none is. Returns the time in ms; undefined: it took too long. */
  async until(wanted: "ready" | "not ready"): Promise<number | undefined> {
    const begun = performance.now();
    while (performance.now() < begun + READY_WITHIN_MS) {
      const ready = await Promise.all(this.#replicas.map((replica) => replica.isReady()));
      if (ready.every((one) => one === (wanted === "ready"))) return performance.now() - begun;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return undefined;
  }

  /**
   * The wallet calls without a durable claim. It may be called at any time, because it reads the ledger before the
   * rows. So each call must have its row.
   */
  async unclaimed(): Promise<Violation[]> {
    const calls = this.#calls();
    const { database } = this.installation;
    const found: { merchant_id: number; tx_id: string }[] = await database.knex("tx").select("merchant_id", "tx_id");
    const rows = new Set(found.map((row) => keyText({ merchantId: Number(row.merchant_id), txId: row.tx_id as TxId })));
    return calls.flatMap(({ content }) =>
      rows.has(keyText(content)) ? [] : [violation("I3", keyText(content), "sent to the wallet, and there is no row")],
    );
  }

  /** All violations of the run. Call it when no player plays. */
  async judged(): Promise<Violation[]> {
    const { installation } = this;
    await settled(installation.database, SETTLED_WITHIN_MS);
    const ended = this.#replicas
      .filter((replica) => !replica.isRunning)
      .map(({ output }) => `a replica ended by itself:\n${output().slice(-2_000)}`);
    const broken = installation.history.operations.flatMap(({ content, outcome }) =>
      outcome.kind === "refused" && outcome.code === "INTERNAL_ERROR"
        ? [`${keyText(content)} was answered INTERNAL_ERROR`]
        : [],
    );
    const origin = `http://127.0.0.1:${this.#replicas[0]?.ports.rest}`;
    const violations = await judge(
      installation,
      { healed: true, standstills: [], deaths: this.deaths, bugs: [...ended, ...broken] },
      origin,
    );
    return [...violations, ...(await this.#dishonest())];
  }

  /**
   * The violations of OVERLOADED: if all answers about a transaction were OVERLOADED, it must have no row, and no
   * wallet must have got it. (Its refund may have left a void row.)
   */
  async #dishonest(): Promise<Violation[]> {
    const { database, history } = this.installation;
    const operations = Map.groupBy(history.operations, ({ content }) => keyText(content));
    const refused = [...operations].filter(([, all]) =>
      all.every(({ outcome }) => outcome.kind === "refused" && outcome.code === "OVERLOADED"),
    );
    const [rows, sent] = [await storedRows(database), new Set(this.#calls().map(({ content }) => keyText(content)))];
    const isLeft = (key: string) => sent.has(key) || (rows.has(key) && rows.get(key)?.transaction.attempts !== 0);
    return refused.flatMap(([key]) =>
      isLeft(key) ? [violation("I3", key, "answered OVERLOADED, and taken all the same")] : [],
    );
  }

  #calls(): WalletCall[] {
    const { directory, wallet } = this.installation;
    return callsOf(readLedger(wallet.ledgerFile), new Map(directory.merchants.map(({ code, id }) => [code, id])), []);
  }

  async close(): Promise<void> {
    await this.installation.close();
    await this.proxy.close();
  }
}

/** Gives the service's user the rights that docs/deployment.md names, and no others. */
async function admit({ knex }: Database, name: string): Promise<void> {
  await knex.raw(`CREATE USER IF NOT EXISTS ${SERVICE}@localhost`);
  for (const grant of documented("GRANT SELECT").split(";\n"))
    await knex.raw(grant.replace("aggregator.", `${name}.`).replace("'aggregator'@'10.0.0.%'", `${SERVICE}@localhost`));
}
