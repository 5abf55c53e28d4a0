/** The command's options are wrong. The message has a line for each fault. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}

/** The subject could not be reached, so nothing was judged. The message gives the reason and the fix. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
