import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import { LOCAL_WALLETS, serviceEnvironment } from "../service/environment.ts";
import { LocalService } from "../service/local-service.ts";
import { Replica, THIS_RELEASE } from "../service/replica.ts";

export interface DeploymentOptions {
  /** The URL of an empty database for the service; it may lead through a proxy. By default a new SQLite file. */
  readonly databaseUrl?: string;
  /** The URL of the same database for the test itself; by default the service's URL. */
  readonly ownDatabaseUrl?: string;
  /** Variables for every replica. */
  readonly env?: Readonly<Record<string, string>>;
  /** Brings the empty database's schema up to date; by default this release does. */
  readonly migrate?: (database: Database, url: string) => Promise<unknown>;
}

const CONNECTIONS = { max: 4, decisiveMax: 2 };

/**
 * The service like in a real deployment: a migrated database, its settings, and any number of processes. It has no
 * wallet and no provider.
 */
export class Deployment {
  /** The folder for databases, logs and records. It is removed at the end. */
  readonly folder: string;
  readonly database: Database;
  readonly settings: SqlSettingsStore;
  readonly #env: Readonly<Record<string, string>>;
  readonly #replicas: (Replica | LocalService)[] = [];

  private constructor(
    folder: string,
    database: Database,
    settings: SqlSettingsStore,
    env: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.database = database;
    this.settings = settings;
    this.#env = env;
    folders.add(folder);
  }

  /** Migrates the database. It stores no settings and starts no process. */
  static async open(options: DeploymentOptions): Promise<Deployment> {
    const { databaseUrl, ownDatabaseUrl, env = {} } = options;
    const folder = mkdtempSync(join(tmpdir(), "deployment-"));
    const serviceUrl = databaseUrl ?? `sqlite:${join(folder, "service.db")}`;
    const masterKey = randomBytes(32);
    const database = openDatabase(ownDatabaseUrl ?? serviceUrl, CONNECTIONS);
    const settings = new SqlSettingsStore(database, new SecretBox([masterKey]));
    const deployment = new Deployment(folder, database, settings, {
      ...serviceEnvironment(serviceUrl, masterKey),
      ...LOCAL_WALLETS,
      ...env,
    });
    await (options.migrate ?? migrate)(database, serviceUrl);
    return deployment;
  }

  /**
   * Starts one more process of the service.
   *
   * @param env - variables for this process only, for example `GAS_FAILPOINTS`.
   * @param release - the release that runs; by default this one.
   */
  async startReplica(env: Readonly<Record<string, string>> = {}, release = THIS_RELEASE): Promise<Replica> {
    const replica = await Replica.start({ ...this.#env, ...env }, [], release);
    this.#replicas.push(replica);
    return replica;
  }

  /** Starts the service in this process. */
  async startHere(): Promise<LocalService> {
    const service = await LocalService.start(this.#env);
    this.#replicas.push(service);
    return service;
  }

  /** Kills the processes that still run, and stops the services in this process. */
  async stopReplicas(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
  }

  /** Ends the services, closes the database and removes the folder. */
  async close(): Promise<void> {
    await this.stopReplicas();
    await this.database.close();
    folders.delete(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const folders = new Set<string>();
// A process that exits early also removes its folders.
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
