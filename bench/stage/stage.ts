import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchMerchant, type Directory, sessionIds } from "../../testbed/directory/directory.ts";
import { invent, type Party, seed } from "../../testbed/directory/seed.ts";
import { Child } from "../../testbed/programs/child.ts";
import type { LoadMessage, Measured, Order, Target } from "../load/orders.ts";
import { type Cores, pin, twoCores } from "../machine/cores.ts";
import { cpuUs } from "../machine/process-usage.ts";
import type { Bench } from "../measurement.ts";
import { type BenchDatabase, type DatabaseKind, startDatabase } from "./bench-database.ts";
import {
  MASTER_KEY,
  type Program,
  type ProgramFiles,
  type ProgramName,
  type ServiceName,
  startFloor,
  startService,
} from "./programs.ts";
import type { WalletMessage, WalletOrder } from "./wallet.ts";

/** The number of connections over which the load spreads, like that of a provider with a few replicas. */
const CONNECTIONS = 4;

/** A program for another checkout: migrates a database and writes the merchants into it. */
const SEED = `import { seed } from "./testbed/directory/seed.ts";
process.once("message", async ({ url, key, directory }) => {
  await seed(url, Buffer.from(key, "hex"), directory);
  process.send({ kind: "seeded" });
});`;

/** A window of load on a program, and the CPU time of each process in it, in microseconds per bet. */
export interface Window extends Measured {
  readonly program: ProgramName | "wallet";
  readonly perSecond: number;
  readonly cpu: { readonly program: number; readonly database: number; readonly load: number; readonly wallet: number };
}

export interface StageOptions {
  /**
   * Programs and database share one core, and load and wallet share another core. So neither pair uses the CPU time of
   * the other pair.
   */
  readonly pinned?: true;
  /** The wallet's module; the plain wallet by default. */
  readonly wallet?: string;
}

type GrpcTarget = Target & { readonly protocol: "grpc" };

/** The processes and data around the measured programs: wallet, load generator, database, merchants and players. */
export class Stage {
  readonly database: BenchDatabase;
  readonly directory: Directory;
  readonly walletUrl: string;
  readonly wallet: Child;
  readonly #load: Child;
  readonly #files: ProgramFiles;
  readonly #cores: Cores | undefined;
  readonly #programs: Program[] = [];

  private constructor(
    database: BenchDatabase,
    directory: Directory,
    walletUrl: string,
    wallet: Child,
    load: Child,
    files: ProgramFiles,
    cores: Cores | undefined,
  ) {
    this.database = database;
    this.directory = directory;
    this.walletUrl = walletUrl;
    this.wallet = wallet;
    this.#load = load;
    this.#files = files;
    this.#cores = cores;
    if (cores === undefined) return;
    for (const pid of database.pids) pin(pid, cores.measured);
    for (const child of [wallet, load]) pin(child.pid, cores.around);
  }

  /** @param parties - returns the merchants and the number of their sessions, for a wallet's origin. */
  static set(
    bench: Bench,
    kind: DatabaseKind,
    parties: (walletOrigin: string) => readonly Party[],
    options: StageOptions = {},
  ): Promise<Stage> {
    return Stage.around(
      bench,
      (folder) => startDatabase(kind, folder, [], "written"),
      (origin) => invent(parties(origin)),
      options,
    );
  }

  /** @param directoryOf - returns the merchants and sessions, for a wallet's origin. */
  static async around(
    bench: Bench,
    start: (folder: string) => Promise<BenchDatabase>,
    directoryOf: (walletOrigin: string) => Directory,
    { pinned, wallet: module = "bench/stage/wallet.ts" }: StageOptions = {},
  ): Promise<Stage> {
    const folder = mkdtempSync(join(bench.folder, "stage-"));
    // Servers are what fails most often, for example if a program is missing. Then nothing else runs yet.
    const database = await start(folder);
    const wallet = new Child([module, folder], {}, join(folder, "wallet.log"));
    const { port } = await wallet.next<WalletMessage & { kind: "ready" }>("ready");
    const origin = `http://127.0.0.1:${port}`;
    const load = await startLoad(folder, "load");
    const directory = directoryOf(origin);
    const directoryFile = join(folder, "directory.json");
    writeFileSync(directoryFile, JSON.stringify(directory));
    const files = { folder, directory, directoryFile, profile: bench.options.profile };
    return new Stage(database, directory, `${origin}/wallet`, wallet, load, files, pinned ? twoCores() : undefined);
  }

  /** @param checkout - another checkout of the project, whose service and schema are used. */
  async service(name: ServiceName, env: Readonly<Record<string, string>> = {}, checkout?: string): Promise<Program> {
    if (checkout === undefined) return this.serviceOver(await this.seeded(), env, name);
    const url = await this.database.create();
    const seeder = new Child(["--input-type=module", "--eval", SEED], {}, join(this.folder, "seed.log"), checkout);
    const seeded = seeder.next("seeded");
    seeder.send({ url, key: MASTER_KEY.toString("hex"), directory: this.directory });
    await seeded;
    await seeder.stop();
    return this.#keep(await startService(name, url, this.#files, env, checkout));
  }

  /** Creates a database that has the merchants and no transactions. */
  async seeded(): Promise<string> {
    const url = await this.database.create();
    await seed(url, MASTER_KEY, this.directory);
    await this.database.grow?.();
    return url;
  }

  /** Starts the service with a database that already has its merchants. */
  async serviceOver(
    url: string,
    env: Readonly<Record<string, string>> = {},
    name: ServiceName = "service",
  ): Promise<Program> {
    return this.#keep(await startService(name, url, this.#files, env));
  }

  async proxy(): Promise<Program> {
    return this.#keep(await startFloor("proxy", [], this.#files));
  }

  async express(): Promise<Program> {
    return this.#keep(await startFloor("express", [], this.#files));
  }

  async textbook(): Promise<Program> {
    return this.#keep(await startFloor("textbook", [await this.database.create()], this.#files));
  }

  /** A second load generator, for calls besides the measured load. */
  async secondLoad(): Promise<Child> {
    const load = await startLoad(this.#files.folder, "load-2");
    if (this.#cores !== undefined) pin(load.pid, this.#cores.around);
    return load;
  }

  /** The folder for the logs and other files of this stage. */
  get folder(): string {
    return this.#files.folder;
  }

  /** A text for the report's method: how the processes share the machine. */
  get sharing(): string {
    return this.#cores === undefined
      ? "Everything shares the machine's cores."
      : "The service and its database share one core, load and wallet another.";
  }

  /** Makes the wallets of these merchants silent. All other wallets answer. */
  silence(merchants: readonly BenchMerchant[]): void {
    this.wallet.send({ kind: "silence", merchants: merchants.map(({ code }) => code) } satisfies WalletOrder);
  }

  /** The number of calls that hang at the wallet now. */
  async hanging(): Promise<number> {
    const reply = this.wallet.next<WalletMessage & { kind: "hanging" }>("hanging");
    this.wallet.send({ kind: "count" } satisfies WalletOrder);
    return (await reply).count;
  }

  /** The target for bets of these merchants. Without a program the target is the wallet itself. */
  target(
    program: Program | undefined,
    merchants: readonly BenchMerchant[] = this.directory.merchants,
    connections = CONNECTIONS,
  ): Target {
    return program === undefined
      ? { protocol: "http", url: this.walletUrl }
      : this.provider(program, merchants, { connections });
  }

  /** The target for calls of a provider to these merchants. */
  provider(program: Program, merchants: readonly BenchMerchant[], more: Partial<GrpcTarget> = {}): GrpcTarget {
    const { apiKey, currency } = this.directory;
    return {
      protocol: "grpc",
      address: program.address,
      apiKey,
      currency,
      sessions: sessionIds(merchants),
      connections: CONNECTIONS,
      ...more,
    };
  }

  /** Runs an order and returns the measured window. */
  async measure(program: Program | undefined, order: Order): Promise<Window> {
    const began = this.#load.next<LoadMessage & { kind: "begin" }>("begin");
    const ended = this.#load.next<LoadMessage & { kind: "end" }>("end");
    this.#load.send(order);
    // Both are awaited together. If the CPU time cannot be read, this error is reported, and not that the load ended.
    const [before, { measured }] = await Promise.all([began.then(() => this.#cpu(program)), ended]);
    await program?.caughtUp();
    await this.database.untilApplied?.();
    const after = this.#cpu(program);
    const perBet = (who: keyof typeof before): number => (after[who] - before[who]) / measured.answered;
    return {
      ...measured,
      program: program?.name ?? "wallet",
      perSecond: (measured.succeeded * 1_000) / measured.windowMs,
      cpu: { program: perBet("program"), database: perBet("database"), load: perBet("load"), wallet: perBet("wallet") },
    };
  }

  async end(program: Program): Promise<void> {
    this.#programs.splice(this.#programs.indexOf(program), 1);
    await program.child.stop();
  }

  async clear(): Promise<void> {
    for (const program of this.#programs.splice(0)) await program.child.stop();
    await this.#load.stop();
    await this.wallet.stop();
    await this.database.stop();
  }

  #keep(program: Program): Program {
    this.#programs.push(program);
    if (this.#cores !== undefined) pin(program.child.pid, this.#cores.measured);
    return program;
  }

  #cpu(program: Program | undefined) {
    return {
      program: program === undefined ? 0 : cpuUs(program.child.pid),
      database: this.database.pids.reduce((sum, pid) => sum + cpuUs(pid), 0),
      load: cpuUs(this.#load.pid),
      wallet: cpuUs(this.wallet.pid),
    };
  }
}

async function startLoad(folder: string, name: string): Promise<Child> {
  const load = new Child(["bench/load/main.ts"], {}, join(folder, `${name}.log`));
  await load.next<LoadMessage & { kind: "ready" }>("ready");
  return load;
}
