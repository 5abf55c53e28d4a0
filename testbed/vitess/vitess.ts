/** A Vitess of separate processes: etcd, vtctld, vtorc, a vttablet beside each MySQL, and a vtgate for each client. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { within } from "../cluster/cluster.ts";
import type { Network } from "../cluster/network.ts";
import { MYSQL } from "../database/products.ts";
import { RootConnection } from "../database/root-connection.ts";
import { type DatabaseServer, startDatabaseServer } from "../database/server.ts";
import { AS_NOBODY, forEachUser, mysqlOptions, optionsOf, type VitessProgram, vitessProgram } from "./programs.ts";

const run = promisify(execFile);
const STARTED_WITHIN_MS = 60_000;
/** A copy that is cut off leaves a server without data. */
const COPIED_WITHIN_MS = 300_000;
const AGAIN_AFTER_MS = 500;
const CELL = "z";
const PORT = {
  sql: 3306,
  tablet: 15_100,
  tabletRpc: 16_100,
  etcd: 2_379,
  control: 15_000,
  controlRpc: 15_999,
  gates: 17_000,
} as const;
const USER = "vitess";

/** A Vitess keyspace without shards. Each tablet has a place in the network, and the other programs share the last one. */
export class Vitess {
  readonly keyspace: string;
  readonly network: Network;
  readonly #place: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "vitess-"));
  readonly #programs = new Map<string, ChildProcess>();
  /** The number of gates that were started so far. Each has ports of its own. */
  #gates = 0;

  constructor(network: Network, place: number, keyspace: string) {
    this.network = network;
    this.#place = place;
    this.keyspace = keyspace;
    process.once("exit", this.#clear);
  }

  /** Starts everything but tablets and gates. A primary answers a commit when another tablet has it. */
  async start(): Promise<void> {
    const host = this.network.host(this.#place);
    const url = `http://${host}:${PORT.etcd}`;
    this.run("etcd", "etcd", this.#place, [
      ...["--data-dir", join(this.#folder, "etcd"), "--listen-client-urls", url, "--advertise-client-urls", url],
    ]);
    this.run("vtctld", "vtctld", this.#place, [
      ...this.topology,
      ...[
        "--cell",
        CELL,
        "--port",
        PORT.control,
        "--grpc-port",
        PORT.controlRpc,
        "--service-map",
        "grpc-vtctl,grpc-vtctld",
      ],
    ]);
    await this.#until("vtctld", () => this.control("GetKeyspaces"));
    await this.control("AddCellInfo", "--root", "/vitess/z", "--server-address", `${host}:${PORT.etcd}`, CELL);
    await this.control("CreateKeyspace", ...optionsOf("keyspace"), this.keyspace);
    this.run("vtorc", "vtorc", this.#place, [
      ...this.topology,
      ...optionsOf("vtorc"),
      ...["--cell", CELL, "--port", PORT.control + 1],
    ]);
  }

  /** The options of each program that uses the topology. */
  get topology(): readonly string[] {
    const server = `${this.network.host(this.#place)}:${PORT.etcd}`;
    return [
      ...["--topo-implementation", "etcd2", "--topo-global-server-address", server],
      ...["--topo-global-root", "/vitess/global"],
    ];
  }

  /** Runs a command of vtctldclient, and returns its output. */
  async control(...args: readonly string[]): Promise<string> {
    const [program, ...words] = this.network.within(this.#place);
    const server = ["--server", `127.0.0.1:${PORT.controlRpc}`, "--action-timeout", "40s"];
    return (await run(program, [...words, vitessProgram("vtctldclient"), ...server, ...args])).stdout;
  }

  /** Starts a vtgate. Returns the path of the socket on which it speaks MySQL's protocol. */
  async startGate(name: string): Promise<string> {
    const socket = join(this.#folder, `${name}.sock`);
    rmSync(socket, { force: true });
    const port = PORT.gates + 2 * this.#gates++;
    this.run(name, "vtgate", this.#place, [
      ...this.topology,
      ...optionsOf("vtgate"),
      ...["--cell", CELL, "--cells-to-watch", CELL],
      ...["--port", port, "--grpc-port", port + 1, "--mysql-server-socket-path", socket],
    ]);
    const root = new RootConnection({ socketPath: socket });
    await this.#until(name, () => root.ask(`SELECT 1 FROM \`${this.keyspace}\`.dual`)).finally(() => root.close());
    return socket;
  }

  /** Starts a program in a place, again and again if it ends by itself, as systemd would. It ends with this process. */
  run(name: string, program: VitessProgram, place: number, args: readonly (string | number)[]): void {
    const [first, ...words] = this.network.within(place);
    const log = openSync(join(this.#folder, `${name}.log`), "a");
    const command = [...AS_NOBODY, vitessProgram(program), ...args.map(String)];
    const child = spawn(first, [...words, ...command], {
      stdio: ["ignore", log, log],
      env: { ...process.env, VTDATAROOT: this.#folder, TMPDIR: this.#folder },
    });
    closeSync(log);
    this.#programs.set(name, child);
    child.once("exit", (code) => {
      const again = () => this.#programs.get(name) === child && this.run(name, program, place, args);
      if (code !== null) setTimeout(again, AGAIN_AFTER_MS).unref();
    });
  }

  /** `kill -9` of a program. */
  async kill(name: string): Promise<void> {
    const child = this.#programs.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  pid(name: string): number {
    return this.#programs.get(name)?.pid ?? 0;
  }

  signal(name: string, signal: NodeJS.Signals): void {
    this.#programs.get(name)?.kill(signal);
  }

  /** The programs that have ended. */
  get ended(): readonly string[] {
    return [...this.#programs]
      .filter(([, { exitCode, signalCode }]) => exitCode !== null || signalCode !== null)
      .map(([name, { exitCode, signalCode }]) => `${name} (${exitCode ?? signalCode})`);
  }

  /** The last errors that a program wrote. */
  log(name: string): string {
    return readFileSync(join(this.#folder, `${name}.log`), "utf8")
      .split("\n")
      .filter((line) => /"level":"(ERROR|FATAL)"/.test(line))
      .slice(-5)
      .join("\n");
  }

  /** Resolves when `attempt` succeeds. */
  async #until(name: string, attempt: () => Promise<unknown>): Promise<void> {
    await within(STARTED_WITHIN_MS, `${name} does not answer`, () =>
      attempt().then(
        () => true,
        () => false,
      ),
    ).catch((cause) => {
      throw new Error(`${cause.message}:\n${this.log(name)}`, { cause });
    });
  }

  stop(): void {
    process.off("exit", this.#clear);
    this.#clear();
  }

  readonly #clear = (): void => {
    for (const child of this.#programs.values()) child.kill("SIGKILL");
    this.#programs.clear();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** A MySQL and its vttablet, in a place of the network. */
export class Tablet {
  readonly alias: string;
  readonly server: DatabaseServer;
  readonly #vitess: Vitess;
  readonly #place: number;
  readonly #root: RootConnection;

  private constructor(vitess: Vitess, place: number, server: DatabaseServer) {
    this.#vitess = vitess;
    this.#place = place;
    this.server = server;
    this.alias = `${CELL}-${101 + place}`;
    this.#root = new RootConnection({ socketPath: this.socketPath });
  }

  static async start(vitess: Vitess, place: number, more: readonly string[] = []): Promise<Tablet> {
    const [program, ...words] = vitess.network.within(place);
    const product = { ...MYSQL, program, options: [...words, MYSQL.program, ...MYSQL.options] };
    const host = vitess.network.host(place);
    const server = await startDatabaseServer(
      [
        ...["--skip-networking=OFF", `--bind-address=${host}`, `--report-host=${host}`, `--port=${PORT.sql}`],
        ...[`--server-id=${place + 1}`, ...mysqlOptions()],
        ...more,
      ],
      undefined,
      product,
    );
    const tablet = new Tablet(vitess, place, server);
    for (const statement of [
      "SET GLOBAL super_read_only = OFF",
      "SET SESSION sql_log_bin = 0",
      `CREATE USER ${USER}@'%' IDENTIFIED BY '${USER}'`,
      `GRANT ALL ON *.* TO ${USER}@'%' WITH GRANT OPTION`,
      "SET SESSION sql_log_bin = 1",
      "SET GLOBAL super_read_only = ON",
    ])
      await tablet.ask(statement);
    tablet.startTablet();
    return tablet;
  }

  get socketPath(): string {
    return new URL(this.server.url("mysql")).searchParams.get("socketPath") ?? "";
  }

  /** Runs a statement as root at the MySQL itself. */
  ask(sql: string, limitMs?: number): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.#root.ask(sql, limitMs);
  }

  /** The name of the vttablet among the programs. */
  get program(): string {
    return `tablet${this.#place}`;
  }

  startTablet(): void {
    const host = this.#vitess.network.host(this.#place);
    const users = forEachUser((user) => [
      ...[`--db-${user}-user`, USER, `--db-${user}-password`, USER],
      ...(user === "repl" ? [] : [`--db-${user}-use-ssl=false`]),
    ]);
    this.#vitess.run(this.program, "vttablet", this.#place, [
      ...this.#vitess.topology,
      ...optionsOf("vttablet"),
      ...["--tablet-path", this.alias, "--init-keyspace", this.#vitess.keyspace, "--init-shard", "0"],
      ...["--init-db-name-override", this.#vitess.keyspace],
      ...["--port", PORT.tablet, "--grpc-port", PORT.tabletRpc, "--tablet-hostname", host],
      ...["--db-socket", this.socketPath, ...users],
      ...["--mycnf-server-id", this.#place + 1, "--mycnf-socket-file", this.socketPath, "--mycnf-mysql-port", PORT.sql],
      ...["--mycnf-data-dir", this.server.data],
    ]);
  }

  /** Replaces all data by a copy of the data of another tablet. */
  async rebuild(from: Tablet): Promise<void> {
    await this.#vitess.kill(this.program);
    const donor = this.#vitess.network.host(from.#place);
    await this.ask("SET GLOBAL super_read_only = OFF");
    await this.ask(`SET GLOBAL clone_valid_donor_list = '${donor}:${PORT.sql}'`);
    // The server then shuts down, because nothing but this process can start it again.
    const copy = `CLONE INSTANCE FROM ${USER}@'${donor}':${PORT.sql} IDENTIFIED BY '${USER}'`;
    await this.ask(copy, COPIED_WITHIN_MS).catch(() => {});
    this.close();
    await this.server.kill();
    await this.server.restart();
    this.startTablet();
  }

  close(): void {
    this.#root.close();
  }

  async stop(): Promise<void> {
    this.close();
    await this.server.stop();
  }
}
