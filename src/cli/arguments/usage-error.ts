/** The line that was typed can't be a command: exit code 2, nothing was asked of the service. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What was recognized before the fault: whose help is worth reading. */
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[] = []) {
    super(message);
    this.path = path;
  }
}
