/** The instructions of a Dockerfile, as far as deploy/docker/Dockerfile uses them. */

export interface Instruction {
  /** `RUN`, `COPY` and so on. */
  readonly name: string;
  /** The rest of the line. A line that ends with a backslash goes on in the next one. */
  readonly text: string;
}

/** The instructions from one FROM to the next. */
export interface BuildStage {
  /** The name after AS; empty: the stage has none. */
  readonly name: string;
  /** The image after FROM. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

export function readDockerfile(text: string): readonly BuildStage[] {
  const lines = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n/g, " ");
  const all = lines.split("\n").flatMap((line) => {
    const [, name, rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : [{ name, text: rest.trim() }];
  });
  const begins = all.flatMap(({ name }, i) => (name === "FROM" ? [i] : []));
  return begins.map((begin, i) => {
    const [from = "", , name = ""] = all[begin]?.text.split(/\s+/) ?? [];
    return { name, from, instructions: all.slice(begin + 1, begins[i + 1]) };
  });
}

/** The command of CMD or HEALTHCHECK: a list in JSON. */
export const commandOf = ({ text }: Instruction): readonly string[] => JSON.parse(text.slice(text.indexOf("[")));
