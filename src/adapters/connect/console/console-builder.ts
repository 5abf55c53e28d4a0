import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../../..");
const PROGRAM = "console/build/main.ts";
/** Only an installation for development has this package. */
const BUNDLER = "node_modules/webpack";

/** Builds the console in a process of its own, at most once, where the packages for development are installed. */
export class ConsoleBuilder {
  readonly #root: string;
  #state: "possible" | "running" | "impossible";

  /** @param root - the folder of the project. */
  constructor(root = ROOT) {
    this.#root = root;
    this.#state = [PROGRAM, BUNDLER].every((path) => existsSync(join(root, path))) ? "possible" : "impossible";
  }

  /** Starts the build unless it was started. Returns whether it runs. */
  start(): boolean {
    if (this.#state === "possible") {
      this.#state = "running";
      // A build that has ended well is found in the folder of builds, so nobody asks again. Another build would fail, too.
      const end = () => (this.#state = "impossible");
      const build = spawn(process.execPath, [PROGRAM], { cwd: this.#root, stdio: "ignore" });
      build.once("error", end).once("exit", end).unref();
    }
    return this.#state === "running";
  }
}
