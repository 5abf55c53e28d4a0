/** The line is not a valid command. The exit code is 2, and the service was not called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The noun and verb that were recognized before the fault. The hint leads to their help. */
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[] = []) {
    super(message);
    this.path = path;
  }
}
