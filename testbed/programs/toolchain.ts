/** Finds and runs programs that are installed on the machine. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A program with its arguments. */
export interface Command {
  /** The name of a program on the PATH, or a file's path. */
  readonly program: string;
  readonly args?: readonly string[];
  /** The working directory. By default the project's root. */
  readonly cwd?: string;
  /** Environment variables that are added to this process's own variables. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

const ENDS_WITHIN_MS = 600_000;

/**
 * The environment of every program. The tests' own Node and npm stay out of the PATH, so that kits run with those of
 * the machine.
 */
const environment = (more: Command["env"] = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"))),
  PATH: searchPath().join(delimiter),
  ...more,
});

const searchPath = (): string[] =>
  (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !folder.includes("node_modules"));

/** Whether the PATH has this program. */
export const isInstalled = (program: string): boolean =>
  searchPath().some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** An empty folder for a kit's build. It is not part of the repository. */
export async function buildFolder(kit: string): Promise<string> {
  const folder = join(ROOT, ".cache/kits", kit);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Starts a program. The caller must end it. Its standard input is empty. */
export function start({ program, args = [], cwd = ROOT, env }: Command) {
  // The program gets its own process group, so that its child processes can be ended together with it.
  const child = spawn(program, [...args], {
    cwd,
    env: environment(env),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
    }
  };
  const onExit = (): void => end("SIGKILL");
  process.once("exit", onExit);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => {
      process.off("exit", onExit);
      resolve({ code: signal ?? code ?? 0, stdout, stderr });
    });
  });
  return { process: child, end, ended, output: () => stdout, log: () => `${stdout}\n${stderr}`.trim() };
}

/**
 * Runs a program until it ends, and returns its standard output. If the exit code is not 0, throws an error with the
 * whole output.
 */
export async function run(command: Command, withinMs = ENDS_WITHIN_MS): Promise<string> {
  const started = start(command);
  const timer = setTimeout(() => started.end("SIGKILL"), withinMs);
  const { code, stdout } = await started.ended.finally(() => clearTimeout(timer));
  if (code === 0) return stdout;
  const { program, args = [] } = command;
  throw new Error(`${[program, ...args].join(" ")} ended with ${code}:\n${started.log().slice(-8_000)}`);
}
