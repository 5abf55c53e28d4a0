/** Servers of MySQL's group replication on loopback. `obtainMysql` must have been called before. */
import { randomUUID } from "node:crypto";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { freePorts } from "../programs/child.ts";
import { MYSQL } from "./products.ts";
import { type DatabaseServer, startDatabaseServer } from "./server.ts";

const REACHED_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** The members replicate from each other as this user. Its statements must not be replicated. */
const REPLICATION_USER = [
  "SET SESSION sql_log_bin = 0",
  "CREATE USER replication@'%' IDENTIFIED BY 'replication'",
  "GRANT REPLICATION SLAVE, GROUP_REPLICATION_STREAM ON *.* TO replication@'%'",
  "SET SESSION sql_log_bin = 1",
  "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replication', SOURCE_PASSWORD = 'replication' FOR CHANNEL 'group_replication_recovery'",
];

interface Ports {
  readonly sql: number;
  readonly group: number;
}

export class GroupMember {
  readonly server: DatabaseServer;
  /** The server through one connection of the user root. */
  readonly admin: Database;

  private constructor(server: DatabaseServer, admin: Database) {
    this.server = server;
    this.admin = admin;
  }

  static async start(id: number, group: string, ports: readonly Ports[]): Promise<GroupMember> {
    const { sql, group: own } = ports[id] as Ports;
    const server = await startDatabaseServer(
      [
        "--skip-networking=OFF",
        "--bind-address=127.0.0.1",
        "--report-host=127.0.0.1",
        `--port=${sql}`,
        `--server-id=${id + 1}`,
        "--log-bin",
        "--gtid-mode=ON",
        "--enforce-gtid-consistency=ON",
        // The states of the group's members are in the tables of the performance schema.
        "--performance-schema=ON",
        "--plugin-load-add=group_replication.so",
        `--group-replication-group-name=${group}`,
        "--group-replication-start-on-boot=OFF",
        `--group-replication-local-address=127.0.0.1:${own}`,
        `--group-replication-group-seeds=${ports.map((one) => `127.0.0.1:${one.group}`).join(",")}`,
        "--group-replication-recovery-get-public-key=ON",
        "--group-replication-single-primary-mode=OFF",
        "--group-replication-enforce-update-everywhere-checks=ON",
      ],
      undefined,
      MYSQL,
    );
    const admin = openDatabase(server.url("mysql"), { max: 1, decisiveMax: 1 });
    const member = new GroupMember(server, admin);
    for (const statement of REPLICATION_USER) await admin.knex.raw(statement);
    return member;
  }

  /** Begins the group, with this member alone. */
  async begin(): Promise<void> {
    await this.admin.knex.raw("SET GLOBAL group_replication_bootstrap_group = ON");
    await this.admin.knex.raw("START GROUP_REPLICATION");
    await this.admin.knex.raw("SET GLOBAL group_replication_bootstrap_group = OFF");
    await this.untilOnline(1);
  }

  /** Joins a group. Resolves when all its `size` members, this one included, have the same transactions. */
  async join(size: number): Promise<void> {
    await this.admin.knex.raw("START GROUP_REPLICATION");
    await this.untilOnline(size);
  }

  async untilOnline(size: number): Promise<void> {
    const until = performance.now() + REACHED_WITHIN_MS;
    for (;;) {
      const [members] = await this.admin.knex.raw(
        "SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members",
      );
      if (members.length === size && members.every(({ state }: { state: string }) => state === "ONLINE")) return;
      if (performance.now() > until) throw new Error(`the group has the members ${JSON.stringify(members)}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.admin.close();
  }
}

/** Starts a group of members that all take writes. */
export async function startGroup(size: number): Promise<readonly GroupMember[]> {
  const free = await freePorts(2 * size);
  const ports = Array.from({ length: size }, (_, i) => ({
    sql: free[2 * i] as number,
    group: free[2 * i + 1] as number,
  }));
  const group = randomUUID();
  const members = await Promise.all(ports.map((_, id) => GroupMember.start(id, group, ports)));
  const [first, ...others] = members;
  await first?.begin();
  for (const [i, other] of others.entries()) await other.join(i + 2);
  return members;
}
