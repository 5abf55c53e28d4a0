import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const FIREFOX = "/usr/bin/firefox-esr";
const START_TIMEOUT_MS = 60_000;

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly text?: string | null; readonly level?: string };
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

/**
 * Debian's Firefox, headless, with one tab. This class sends WebDriver BiDi commands directly, because playwright needs
 * its own build of Firefox, or commands that Debian's Firefox does not support.
 */
export class Firefox {
  /** The messages in the tab's JavaScript console, as "level: text". */
  readonly console: string[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #tab = "";
  #ids = 0;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as Reply));
  }

  static async open(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), "firefox-"));
    const process = spawn(FIREFOX, ["--headless", "--profile", profile, "--remote-debugging-port", "0"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const socket = new WebSocket(`${await address(process)}/session`);
    await once(socket, "open");
    const firefox = new Firefox(process, profile, socket);
    await firefox.#send("session.new", { capabilities: {} });
    await firefox.#send("session.subscribe", { events: ["log.entryAdded"] });
    const { context } = (await firefox.#send("browsingContext.create", { type: "tab" })) as { context: string };
    firefox.#tab = context;
    return firefox;
  }

  async goto(url: string): Promise<void> {
    await this.#send("browsingContext.navigate", { context: this.#tab, url, wait: "complete" });
  }

  /** Runs a function in the page, or in its first iframe. Resolves to the function's result, sent as JSON. */
  async evaluate<T, Argument = undefined>(
    run: (argument: Argument) => T,
    argument?: Argument,
    where: "page" | "iframe" = "page",
  ): Promise<Awaited<T>> {
    const context = where === "page" ? this.#tab : await this.#iframe();
    const given = argument === undefined ? "undefined" : JSON.stringify(argument);
    const answer = (await this.#send("script.evaluate", {
      expression: `(async () => JSON.stringify(await (${run})(${given})))()`,
      target: { context },
      awaitPromise: true,
    })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails !== undefined) throw new Error(answer.exceptionDetails.text);
    return (answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value)) as Awaited<T>;
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #iframe(): Promise<string> {
    const { contexts } = (await this.#send("browsingContext.getTree", { root: this.#tab })) as {
      contexts: readonly { readonly children: readonly { readonly context: string }[] }[];
    };
    const context = contexts[0]?.children[0]?.context;
    if (context === undefined) throw new Error("the page has no iframe");
    return context;
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#ids;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive({ id, method, params, result, error, message }: Reply): void {
    if (method === "log.entryAdded") this.console.push(`${params?.level}: ${params?.text}`);
    const waiting = this.#waiting.get(id ?? 0);
    this.#waiting.delete(id ?? 0);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${error}: ${message}`));
  }
}

/** The address at which Firefox listens, which it prints. */
async function address(process: ChildProcess): Promise<string> {
  let printed = "";
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  process.stderr?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  for (;;) {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(printed)?.[1];
    if (found !== undefined) return found;
    if (late.aborted || process.exitCode !== null) throw new Error(`Firefox did not start:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
