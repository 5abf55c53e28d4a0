/** Tells a tester in the terminal which buttons to click in the game. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Driver, type Shown, type Spin } from "./driver.ts";

/** The time that a person has to open an address and to click. */
const CLICK_MS = 30_000;
/**
 * The time for an answer to a question. After this time the question counts as unanswered, because the tester may have
 * left.
 */
const ANSWER_MS = 60_000;

type Write = (text: string) => void;

export class Guide extends Driver {
  override readonly atOnce = 1;
  override readonly spinsUntilWin = true;
  override readonly clickMs = CLICK_MS;
  readonly #write: Write;
  readonly #answers: NodeJS.ReadableStream | undefined;

  /** `answers`: the tester's input; undefined: there is no tester to ask. */
  constructor(write: Write, answers: NodeJS.ReadableStream | undefined) {
    super();
    this.#write = write;
    this.#answers = answers;
  }

  override async spin({ case: name, launchUrl, until, session }: Spin): Promise<Shown> {
    const what =
      until === "win" ? "Press Spin until a round wins. Then wait." : "Press Spin once, even if nothing happens.";
    this.#write(
      `\n${name}${session.demo ? " (a demo)" : ""}\n  1. Open this address:\n     ${launchUrl}\n  2. ${what}\n`,
    );
    return {};
  }

  override seen(): void {
    this.#write("  The call came. Leave the page open.\n");
  }

  /** Asks the tester what the game shows now; `{}`: no answer. */
  override async look(): Promise<Shown> {
    if (this.#answers === undefined) return {};
    this.#write(
      "  What does the game show? p: a round that was played, w: it waits, r: the bet was refused, Enter: I can't tell\n  > ",
    );
    const terminal = createInterface({ input: this.#answers });
    const [answer] = await once(terminal, "line", { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => [""]);
    terminal.close();
    const shown = ({ p: "played", w: "waiting", r: "refused" } as const)[String(answer).trim().toLowerCase()];
    return shown === undefined ? {} : { shown };
  }
}
