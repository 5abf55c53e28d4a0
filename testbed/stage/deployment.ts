import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import { LOCAL_WALLETS, serviceEnvironment } from "../service/environment.ts";
import { Replica } from "../service/replica.ts";

export interface DeploymentOptions {
  /**
   * An empty database, as the service connects to it: through a proxy, for example. A SQLite file of its own by
   * default.
   */
  readonly databaseUrl?: string;
  /** How the test itself connects to that database; as the service does by default. */
  readonly ownDatabaseUrl?: string;
  /** For every replica. */
  readonly env?: Readonly<Record<string, string>>;
}

const CONNECTIONS = { max: 4, decisiveMax: 2 };

/**
 * The service as it is deployed: a migrated database, its settings, and any number of processes over it. Wallet and
 * provider come from elsewhere.
 */
export class Deployment {
  /** For databases, logs and records; removed at the end. */
  readonly folder: string;
  readonly database: Database;
  readonly settings: SqlSettingsStore;
  readonly #env: Readonly<Record<string, string>>;
  readonly #replicas: Replica[] = [];

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

  /** Migrates the database. Nothing is stored and no process runs yet. */
  static async open({ databaseUrl, ownDatabaseUrl, env = {} }: DeploymentOptions): Promise<Deployment> {
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
    await migrate(database);
    return deployment;
  }

  /** One more process of the service. @param env - for it alone, `GAS_FAILPOINTS` for example. */
  async startReplica(env: Readonly<Record<string, string>> = {}): Promise<Replica> {
    const replica = await Replica.start({ ...this.#env, ...env });
    this.#replicas.push(replica);
    return replica;
  }

  /** Kills the replicas that still run. */
  async stopReplicas(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
  }

  /** Kills the replicas, closes the database and removes the folder. */
  async close(): Promise<void> {
    await this.stopReplicas();
    await this.database.close();
    folders.delete(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const folders = new Set<string>();
// A process that ends early removes its folders, too.
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
