import { createWriteStream } from "node:fs";
import type { Call } from "./call.ts";

/** The number of lines that are written together. */
const TOGETHER = 1_000;

/** Writes a line for each call: tx_id, kind of call, result. */
export class History {
  readonly #file: ReturnType<typeof createWriteStream>;
  #lines: string[] = [];

  constructor(path: string) {
    this.#file = createWriteStream(path, { flags: "a" });
  }

  /** The same call, with its result written to the file. */
  of(call: Call): Call {
    return (done) =>
      call((result) => {
        this.#lines.push(
          `${result.txId ?? ""}\t${result.kind ?? "bet"}\t${result.outcome.replaceAll(/[\t\n]/g, " ")}\n`,
        );
        if (this.#lines.length >= TOGETHER) this.#flush();
        done(result);
      });
  }

  async end(): Promise<void> {
    this.#flush();
    await new Promise<void>((resolve) => this.#file.end(resolve));
  }

  #flush(): void {
    this.#file.write(this.#lines.join(""));
    this.#lines = [];
  }
}
