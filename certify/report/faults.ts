/** What was typed can't be done; the message has a line for each fault. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}

/** Nothing could be judged. The message says why, and what to do. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
