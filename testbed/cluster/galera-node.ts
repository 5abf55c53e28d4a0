import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { RootConnection } from "../database/root-connection.ts";
import type { ClusterNode } from "./cluster.ts";

/** The paths of the replication plug-in in Debian's and Fedora's packages. */
const PROVIDERS = [
  "/usr/lib/galera/libgalera_smm.so",
  "/usr/lib64/galera-4/libgalera_smm.so",
  "/usr/lib/galera-4/libgalera_smm.so",
];
/** The times of docs/deployment.md: a silent node is suspected after 2 s and excluded after 4 s, not after 5 and 15. */
export const LOSS_TIMES = "evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.keepalive_period=PT0.5S";
const SETPRIV = "/usr/bin/setpriv";
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
/**
 * The maximum number of starts. A node ends when its donor ends during the transfer. Then the node must be started
 * again.
 */
const STARTS_MAX = 3;

/** The node's position when it stopped. */
export interface Position {
  readonly uuid: string;
  readonly seqno: number;
}

interface Ports {
  readonly sql: number;
  /** Ports between the nodes: for the group, and for the transfer to a joining node. */
  readonly group: number;
  readonly increments: number;
  readonly snapshot: number;
}

/**
 * One MariaDB of a Galera cluster on loopback, with its own data folder. As root it runs as the user mysql, because
 * Galera's rsync method refuses root.
 */
export class GaleraNode implements ClusterNode {
  readonly name: string;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #more: readonly string[];
  #server: ChildProcess | null = null;
  readonly #root: RootConnection;

  private constructor(name: string, folder: string, ports: Ports, more: readonly string[]) {
    this.name = name;
    this.#folder = folder;
    this.#ports = ports;
    this.#more = more;
    this.#root = new RootConnection({ port: ports.sql });
  }

  /** @param more - options of the server that replace the usual ones. */
  static async create(name: string, parent: string, more: readonly string[]): Promise<GaleraNode> {
    const folder = join(parent, name);
    mkdirSync(join(folder, "data"), { recursive: true });
    const ports = {
      sql: await lastingPort(),
      group: await lastingPort(),
      increments: await lastingPort(),
      snapshot: await lastingPort(),
    };
    const owner = runsAs();
    if (owner !== null) for (const path of [folder, join(folder, "data")]) chownSync(path, owner.uid, owner.gid);
    return new GaleraNode(name, folder, ports, more);
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  get data(): string {
    return join(this.#folder, "data");
  }

  /** The address for the other nodes. */
  get groupAddress(): string {
    return `127.0.0.1:${this.#ports.group}`;
  }

  url(database: string): string {
    return `mysql://root@127.0.0.1:${this.#ports.sql}/${database}`;
  }

  /** Makes the system tables. The other nodes get these tables by the transfer. */
  install(): void {
    const quiet = ["--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve"];
    const [program, ...args] = [
      ...asOwner(),
      "mariadb-install-db",
      "--no-defaults",
      `--datadir=${this.data}`,
      ...quiet,
    ];
    execFileSync(program as string, args, { stdio: ["ignore", "ignore", "pipe"], env: this.#env });
  }

  /**
   * Starts the server. Resolves when it is part of the cluster and has all of its data.
   *
   * @param members - the addresses of the nodes to join. With no address the node begins the cluster.
   */
  async start(members: readonly string[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#start(members);
      } catch (cause) {
        if (tries === STARTS_MAX) throw cause;
        await this.kill();
      }
    }
  }

  async #start(members: readonly string[]): Promise<void> {
    const begins = members.length === 0;
    // Only InnoDB's files have the position of the last commit. With this position the node gets only the missed
    // changes, not a full copy.
    const { uuid, seqno } = this.recover();
    if (begins) this.#allowBootstrap();
    const position = seqno < 0 ? [] : [`--wsrep-start-position=${uuid}:${seqno}`];
    const [program, ...args] = [
      ...asOwner("KILL"),
      "mariadbd",
      ...this.#options(members),
      ...position,
      ...(begins ? ["--wsrep-new-cluster"] : []),
    ];
    const server = spawn(program as string, args, { stdio: "ignore", env: this.#env });
    this.#server = server;
    await this.untilSynced();
  }

  /** The position in its files. The server must not run. */
  recover(): Position {
    const none = { uuid: "", seqno: -1 };
    if (!existsSync(join(this.data, "ibdata1"))) return none;
    const [program, ...args] = [
      ...asOwner(),
      "mariadbd",
      ...this.#options([]),
      `--log-error=${join(this.#folder, "recover.log")}`,
      "--wsrep-recover",
    ];
    spawnSync(program as string, args, { stdio: "ignore", env: this.#env });
    const found = [
      ...readFileSync(join(this.#folder, "recover.log"), "utf8").matchAll(/Recovered position: ([0-9a-f-]+):(-?\d+)/g),
    ].at(-1);
    return found === undefined ? none : { uuid: found[1] ?? "", seqno: Number(found[2]) };
  }

  async untilSynced(): Promise<void> {
    const until = performance.now() + READY_TIMEOUT_MS;
    while ((await this.state().catch(() => "")) !== "Primary/Synced") {
      if (!this.#runs) throw new Error(`${this.name} ended:\n${this.logTail()}`);
      if (performance.now() > until)
        throw new Error(`${this.name} is not in the cluster after ${READY_TIMEOUT_MS} ms:\n${this.logTail()}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /**
   * The node's state, for example `Primary/Synced` or `non-Primary/Initialized`. Throws when the node doesn't answer.
   */
  async state(): Promise<string> {
    const found = await this.ask(
      "SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_status', 'wsrep_local_state_comment')",
    );
    const value = (name: string) => found.find((row) => String(row.Variable_name).toLowerCase() === name)?.Value;
    return `${value("wsrep_cluster_status")}/${value("wsrep_local_state_comment")}`;
  }

  /** The number of nodes in this node's group, including itself. */
  async groupSize(): Promise<number> {
    const [found] = await this.ask("SHOW STATUS LIKE 'wsrep_cluster_size'");
    return Number(found?.Value);
  }

  ask(sql: string, limitMs?: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#root.ask(sql, limitMs);
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#root.close();
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  }

  /** Kills the node (`kill -9`) without waiting, for a test process that exits. */
  end(): void {
    this.#server?.kill("SIGKILL");
  }

  pause(): void {
    this.#server?.kill("SIGSTOP");
  }

  resume(): void {
    this.#server?.kill("SIGCONT");
  }

  async isolate(): Promise<void> {
    await this.ask("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
  }

  async heal(): Promise<void> {
    await this.ask("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
  }

  logTail(): string {
    const file = join(this.#folder, "error.log");
    return existsSync(file) ? readFileSync(file, "utf8").slice(-4_000) : "";
  }

  get #runs(): boolean {
    return this.#server !== null && this.#server.exitCode === null && this.#server.signalCode === null;
  }

  /** A server clears its temporary folder when it starts, so nodes must not share one. */
  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, TMPDIR: this.#folder };
  }

  #options(members: readonly string[]): readonly string[] {
    const { sql, group, increments, snapshot } = this.#ports;
    const provider = [
      `base_port=${group}`,
      `gmcast.listen_addr=tcp://127.0.0.1:${group}`,
      `ist.recv_addr=tcp://127.0.0.1:${increments}`,
      LOSS_TIMES,
      "gcache.size=64M",
    ];
    return [
      "--no-defaults",
      `--datadir=${this.data}`,
      `--socket=${join(this.#folder, "s")}`,
      "--bind-address=127.0.0.1",
      `--port=${sql}`,
      `--log-error=${join(this.#folder, "error.log")}`,
      "--skip-name-resolve",
      "--performance-schema=OFF",
      "--character-set-server=utf8mb4",
      "--innodb-flush-log-at-trx-commit=1",
      "--innodb-buffer-pool-size=128M",
      "--innodb-log-file-size=32M",
      "--max-connections=200",
      "--binlog-format=ROW",
      "--default-storage-engine=InnoDB",
      "--innodb-autoinc-lock-mode=2",
      "--wsrep-on=ON",
      `--wsrep-provider=${providerFile()}`,
      "--wsrep-cluster-name=faults",
      `--wsrep-cluster-address=gcomm://${members.join(",")}`,
      `--wsrep-node-name=${this.name}`,
      `--wsrep-node-address=127.0.0.1:${group}`,
      `--wsrep-provider-options=${provider.join(";")}`,
      "--wsrep-sst-method=rsync",
      `--wsrep-sst-receive-address=127.0.0.1:${snapshot}`,
      "--wsrep-slave-threads=2",
      ...this.#more,
    ];
  }

  /**
   * Marks a killed node as safe to begin the cluster. The caller has compared the positions: this node has the newest
   * data.
   */
  #allowBootstrap(): void {
    const file = join(this.data, "grastate.dat");
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, "utf8").replace(/safe_to_bootstrap: 0/, "safe_to_bootstrap: 1"));
  }
}

/** The user mysql if the current user is root; null: the server runs as the current user. */
function runsAs(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync("id", [flag, "mysql"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** The command that starts a program with its user, and with the signal that it gets when this process dies. */
function asOwner(parentDeathSignal?: "KILL"): string[] {
  const owner = runsAs();
  const user = owner === null ? [] : [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
  const death = parentDeathSignal === undefined ? [] : ["--pdeathsig", parentDeathSignal];
  const flags = [...user, ...death];
  return flags.length === 0 || (owner === null && !existsSync(SETPRIV)) ? [] : [SETPRIV, ...flags];
}

/**
 * A free port below the range of outgoing connections (32768 and up), because a node needs the same port when it starts
 * again.
 */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (free) return port;
  }
}

function providerFile(): string {
  const found = PROVIDERS.find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(`Galera's plug-in is none of ${PROVIDERS.join(", ")}: please install galera-4`);
  return found;
}
