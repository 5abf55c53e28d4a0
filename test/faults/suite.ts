/** What `npm run faults -- <name>` runs: a module of its own in this folder. */
export interface FaultSuite {
  /**
   * Makes the faults, prints a table in Markdown of what it did and found, and leaves no process and no folder behind.
   *
   * @param args - what follows the suite's name on the command line.
   * @returns how many violations it found.
   */
  run(args: readonly string[]): Promise<number>;
}
