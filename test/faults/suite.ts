/** The module of `npm run faults -- <name>` in this folder. */
export interface FaultSuite {
  /**
   * Makes the faults and prints a table in Markdown with the results. Leaves no process and no folder behind.
   *
   * @param args - the command line after the suite's name.
   * @returns the number of violations.
   */
  run(args: readonly string[]): Promise<number>;
}
