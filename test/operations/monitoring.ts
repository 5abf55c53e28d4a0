import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROGRAM_ENV, programOf } from "../../testbed/programs/operations-program.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import type { Replica } from "../../testbed/service/replica.ts";
import type { Scope } from "../../testbed/stage/world.ts";

export const RULES = "deploy/prometheus/aggregator.rules.yml";
const PROGRAMS = ["prometheus", "promtool", "prometheus-node-exporter", "prometheus-mysqld-exporter"] as const;
const WAIT_MS = 120_000;

/** The monitoring programs that this machine does not have. */
export const missingPrograms = (): string[] => PROGRAMS.filter((name) => programOf(name) === undefined);

/** A rule as Prometheus has read it. */
export interface Rule {
  readonly name: string;
  readonly query: string;
}

/** What a Prometheus watches beside the machine. */
interface Targets {
  readonly replicas: readonly Replica[];
  /** The URL of each database server. */
  readonly databases: readonly string[];
  /** The time between two scrapes, and the longest duration of one. */
  readonly scrapeMs?: number;
}

/** A real Prometheus beside replicas of the service and database servers, with their exporters. */
export class Monitoring {
  readonly #origin: string;
  readonly #exporters: readonly ChildProcess[];
  /** The alerts that {@link untilFired} has seen. */
  readonly fired = new Set<string>();

  private constructor(origin: string, exporters: readonly ChildProcess[]) {
    this.#origin = origin;
    this.#exporters = exporters;
  }

  /** Resolves when Prometheus has scraped every target: each replica, each database's exporter, and the machine's. */
  static async start(t: Scope, { replicas, databases, scrapeMs = 500 }: Targets): Promise<Monitoring> {
    const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const [port, node] = [await freePort(), await freePort()];
    const disabled = ["--collector.disable-defaults", "--collector.filesystem", "--collector.timex"];
    const programs = [run(t, "prometheus-node-exporter", [...disabled, `--web.listen-address=127.0.0.1:${node}`])];
    const exporters: string[] = [];
    for (const url of databases) {
      const address = `127.0.0.1:${await freePort()}`;
      const collectors = ["--collect.perf_schema.replication_group_members"];
      const env = { DATA_SOURCE_NAME: dataSource(new URL(url)) };
      programs.push(run(t, "prometheus-mysqld-exporter", [...collectors, `--web.listen-address=${address}`], env));
      exporters.push(address);
    }
    writeFileSync(join(folder, "rules.yml"), inSeconds(readFileSync(RULES, "utf8")));
    const job = (name: string, targets: readonly string[]) => ({ job_name: name, static_configs: [{ targets }] });
    const metrics = replicas.map(({ ports }) => `127.0.0.1:${ports.internalHttp}`);
    // JSON is YAML, too.
    const config = {
      global: { scrape_interval: `${scrapeMs}ms`, scrape_timeout: `${scrapeMs}ms`, evaluation_interval: "500ms" },
      rule_files: ["rules.yml"],
      scrape_configs: [job("aggregator", metrics), job("mysql", exporters), job("node", [`127.0.0.1:${node}`])],
    };
    writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
    run(t, "prometheus", [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const monitoring = new Monitoring(`http://127.0.0.1:${port}`, programs);
    await until("Prometheus has scraped every target", async () => {
      const up = await monitoring.query("count(up == 1)");
      return Number(up[0]?.value[1]) === metrics.length + exporters.length + 1;
    });
    return monitoring;
  }

  /** Ends the exporters of the databases and of the machine. */
  stopExporters(): void {
    for (const exporter of this.#exporters) exporter.kill("SIGTERM");
  }

  /** The series that an expression gives now. Throws with Prometheus' message when the expression has an error. */
  async query(expression: string): Promise<readonly Sample[]> {
    const { result } = await this.#get<{ result: Sample[] }>(`query?${new URLSearchParams({ query: expression })}`);
    return result;
  }

  async rules(): Promise<Rule[]> {
    const { groups } = await this.#get<{ groups: { rules: Rule[] }[] }>("rules");
    return groups.flatMap(({ rules }) => rules);
  }

  /** The names of the alerts that fire now. */
  async firing(): Promise<Set<string>> {
    const { alerts } = await this.#get<{ alerts: { labels: { alertname: string }; state: string }[] }>("alerts");
    return new Set(alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname));
  }

  /** Resolves when all of these alerts have fired since the call. */
  async untilFired(...names: readonly string[]): Promise<void> {
    const left = new Set(names);
    await until(`${names.join(", ")} fire`, async () => {
      for (const name of await this.firing()) if (left.delete(name)) this.fired.add(name);
      return left.size === 0;
    }).catch((cause) => {
      throw new Error(`these alerts did not fire: ${[...left].join(", ")}`, { cause });
    });
  }

  /** Resolves when none of these alerts fires. */
  async untilSilent(...names: readonly string[]): Promise<void> {
    await until(`${names.join(", ")} are silent`, async () => {
      const firing = await this.firing();
      return !names.some((name) => firing.has(name));
    });
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.#origin}/api/v1/${path}`);
    const reply = (await response.json()) as { status: string; error?: string; data: T };
    if (reply.status !== "success") throw new Error(`${path}: ${reply.error}`);
    return reply.data;
  }
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** The exporter's name for a database: on a socket, or on a port. */
function dataSource({ searchParams, host }: URL): string {
  const socket = searchParams.get("socketPath");
  return socket === null ? `root@tcp(${host})/` : `root@unix(${socket})/`;
}

/** The rules with a second for each minute, so that a test need not wait for minutes. */
const inSeconds = (rules: string): string =>
  rules
    .replace(/(?<=for: )30s/g, "500ms")
    .replace(/(?<=for: )(\d+)m\b/g, "$1s")
    .replace(/(?<=\[|offset )(\d+)m\b/g, "$1s");

/** Waits for a condition. An error of the check counts as "not yet". */
export async function until(what: string, check: () => Promise<boolean>, withinMs = WAIT_MS): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await check().catch(() => false))) {
    if (performance.now() > end) throw new Error(`after ${withinMs} ms this is still not so: ${what}`);
    await sleep(200);
  }
}

/** Starts a program that ends with the test. Its output is shown if it ends by itself. */
function run(
  t: Scope,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(programOf(program) ?? program, args, {
    env: { ...PROGRAM_ENV, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output = (output + chunk).slice(-4_000);
    });
  let ending = false;
  child.once("exit", (code, signal) => {
    if (!ending && !child.killed) console.error(`${program} ended with ${code ?? signal}:\n${output}`);
  });
  t.teardown(() => {
    ending = true;
    child.kill("SIGKILL");
  });
  return child;
}
