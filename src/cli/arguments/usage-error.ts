/** The line is not a valid command. The exit code is 2. The service was not called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The noun and the verb that were recognised before the mistake. The error's hint names the help for them. */
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[] = []) {
    super(message);
    this.path = path;
  }
}
