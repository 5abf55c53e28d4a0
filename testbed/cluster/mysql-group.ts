/** Servers of MySQL's group replication. `obtainMysql` must have been called before. */
import { randomUUID } from "node:crypto";
import { MYSQL } from "../database/products.ts";
import { RootConnection } from "../database/root-connection.ts";
import { type DatabaseServer, startDatabaseServer } from "../database/server.ts";
import { freePorts } from "../programs/ports.ts";

const REACHED_WITHIN_MS = 120_000;
const POLL_MS = 50;

/** The members replicate from each other as this user. Its statements must not be replicated. */
const REPLICATION_USER = [
  "SET SESSION sql_log_bin = 0",
  "CREATE USER replication@'%' IDENTIFIED BY 'replication'",
  "GRANT REPLICATION SLAVE, GROUP_REPLICATION_STREAM ON *.* TO replication@'%'",
  "SET SESSION sql_log_bin = 1",
  "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replication', SOURCE_PASSWORD = 'replication' FOR CHANNEL 'group_replication_recovery'",
];

/**
 * A server that is not in the group must serve nobody: its rows are old, and its writes would be its own. Only a user
 * who may administrate the server gets in. {@link GroupMember.join} ends this.
 */
const CLOSED = ["--offline-mode=ON", "--super-read-only=ON"];

/** The settings of docs/deployment.md for a member that the others exclude, or that has lost the majority. */
export const ON_LOSS = {
  group_replication_member_expel_timeout: "0",
  group_replication_unreachable_majority_timeout: "3",
  group_replication_exit_state_action: "OFFLINE_MODE",
  group_replication_autorejoin_tries: "0",
} as const;

/** Which members take writes: one, or each. */
export type Primaries = "single" | "multi";

/** Where a member listens for the others. */
interface MemberAddress {
  readonly host: string;
  readonly sql: number;
  readonly group: number;
}

export interface GroupSettings {
  readonly name: string;
  readonly addresses: readonly MemberAddress[];
  readonly primaries: Primaries;
  /** Options of each server that replace the usual ones. */
  readonly more?: readonly string[];
}

export class GroupMember {
  readonly server: DatabaseServer;
  readonly #root: RootConnection;
  readonly #options: readonly string[];

  private constructor(server: DatabaseServer, options: readonly string[]) {
    this.server = server;
    this.#options = options;
    this.#root = new RootConnection({ socketPath: this.socketPath });
  }

  /** Starts a server that is in no group yet. `product`: how its program is called. */
  static async start(id: number, settings: GroupSettings, product = MYSQL): Promise<GroupMember> {
    const { name, addresses, primaries, more = [] } = settings;
    const own = addresses[id] as MemberAddress;
    const options = [
      "--skip-networking=OFF",
      `--bind-address=${own.host}`,
      `--report-host=${own.host}`,
      `--port=${own.sql}`,
      `--server-id=${id + 1}`,
      "--log-bin",
      "--gtid-mode=ON",
      "--enforce-gtid-consistency=ON",
      // The states of the group's members are in the tables of the performance schema.
      "--performance-schema=ON",
      "--plugin-load-add=group_replication.so",
      `--group-replication-group-name=${name}`,
      "--group-replication-start-on-boot=OFF",
      `--group-replication-local-address=${own.host}:${own.group}`,
      `--group-replication-group-seeds=${addresses.map(({ host, group }) => `${host}:${group}`).join(",")}`,
      "--group-replication-recovery-get-public-key=ON",
      `--group-replication-single-primary-mode=${primaries === "single" ? "ON" : "OFF"}`,
      `--group-replication-enforce-update-everywhere-checks=${primaries === "single" ? "OFF" : "ON"}`,
      ...Object.entries(ON_LOSS).map(([variable, value]) => `--${variable}=${value}`),
      ...more,
    ];
    const member = new GroupMember(await startDatabaseServer(options, undefined, product), options);
    for (const statement of REPLICATION_USER) await member.ask(statement);
    return member;
  }

  get socketPath(): string {
    return new URL(this.server.url("mysql")).searchParams.get("socketPath") ?? "";
  }

  /** Runs a statement as root on one connection, even in offline mode. */
  ask(sql: string, limitMs?: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#root.ask(sql, limitMs);
  }

  /** Begins the group, with this member alone. */
  async begin(): Promise<void> {
    await this.ask("SET GLOBAL group_replication_bootstrap_group = ON");
    await this.#startReplication();
    await this.ask("SET GLOBAL group_replication_bootstrap_group = OFF");
    await this.untilOnline(1);
    await this.#serve();
  }

  /**
   * Joins the group, for the first time or again. Resolves when all its `size` members, this one included, have the
   * same transactions.
   */
  async join(size: number): Promise<void> {
    await this.ask("STOP GROUP_REPLICATION", REACHED_WITHIN_MS);
    await this.#startReplication();
    await this.untilOnline(size);
    await this.#serve();
  }

  /** The states of the group's members as this member sees them, for example `ONLINE`. */
  async states(): Promise<readonly string[]> {
    const members = await this.ask("SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members");
    return members.map(({ state }) => String(state));
  }

  /** Whether this member believes that it works in the group. */
  async isOnline(): Promise<boolean> {
    const [own] = await this.ask(
      "SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members WHERE MEMBER_ID = @@server_uuid",
    );
    return own?.state === "ONLINE";
  }

  async untilOnline(size: number): Promise<void> {
    for (const until = performance.now() + REACHED_WITHIN_MS; ; ) {
      const states = await this.states();
      if (states.length === size && states.every((state) => state === "ONLINE")) return;
      if (performance.now() > until) throw new Error(`the group has the members ${states}:\n${await this.#log()}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The transactions that this server has executed or received. */
  async transactions(): Promise<string> {
    const [found] = await this.ask(
      `SELECT CONCAT(@@GLOBAL.gtid_executed, ',', COALESCE((SELECT RECEIVED_TRANSACTION_SET
         FROM performance_schema.replication_connection_status WHERE CHANNEL_NAME = 'group_replication_applier'), '')) AS have`,
    );
    return String(found?.have).replaceAll("\n", "");
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.#root.close();
    await this.server.kill();
  }

  /** Starts the killed server again. It serves nobody before it is in a group. */
  restart(): Promise<void> {
    return this.server.restart([...this.#options, ...CLOSED]);
  }

  async stop(): Promise<void> {
    this.#root.close();
    await this.server.stop();
  }

  async #startReplication(): Promise<void> {
    await this.ask("START GROUP_REPLICATION", REACHED_WITHIN_MS).catch(async (cause) => {
      throw new Error(`the member can't join its group:\n${await this.#log()}`, { cause });
    });
  }

  async #serve(): Promise<void> {
    await this.ask("SET GLOBAL offline_mode = OFF");
  }

  async #log(): Promise<string> {
    const lines = await this.ask("SELECT DATA AS line FROM performance_schema.error_log ORDER BY LOGGED DESC LIMIT 15");
    return lines.map(({ line }) => String(line)).join("\n");
  }
}

/** Starts a group on loopback. */
export async function startGroup(size: number, primaries: Primaries = "multi"): Promise<readonly GroupMember[]> {
  const free = await freePorts(2 * size);
  const addresses = Array.from({ length: size }, (_, i) => ({
    host: "127.0.0.1",
    sql: free[2 * i] as number,
    group: free[2 * i + 1] as number,
  }));
  const settings: GroupSettings = { name: randomUUID(), addresses, primaries };
  const members = await Promise.all(addresses.map((_, id) => GroupMember.start(id, settings)));
  const [first, ...others] = members;
  await first?.begin();
  for (const [i, other] of others.entries()) await other.join(i + 2);
  return members;
}
