import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");
/** The program that builds the console, and the package that only an installation for development has. */
const NEEDED = ["console/build/main.ts", "node_modules/webpack"];

/** Builds the console in a process of its own, at most once, where the packages for development are installed. */
export class ConsoleBuilder {
  readonly #root: string;
  #state: "possible" | "running" | "impossible";

  /** @param root - the folder of the project. */
  constructor(root = ROOT) {
    this.#root = root;
    this.#state = NEEDED.every((path) => existsSync(join(root, path))) ? "possible" : "impossible";
  }

  /** Starts the build unless it was started. Returns whether it runs. */
  start(): boolean {
    if (this.#state === "possible") {
      this.#state = "running";
      const failed = () => (this.#state = "impossible");
      const build = spawn(process.execPath, [NEEDED[0] as string], { cwd: this.#root, stdio: "ignore" });
      // A build that has ended well is found in the folder of builds. So nobody asks again.
      build.once("error", failed).once("exit", failed).unref();
    }
    return this.#state === "running";
  }
}
