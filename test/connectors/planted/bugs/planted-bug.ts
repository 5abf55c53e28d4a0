/** A bug that the tests of a connector must catch. It quotes a piece of the code and says what stands there instead. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly quote: string;
  readonly instead: string;
}

/** Makes the bugs of one folder. Most of them are in one file. */
export const inFolder =
  (folder: string, mostly: string) =>
  (name: string, quote: string, instead: string, file = mostly): PlantedBug => ({
    name,
    file: `connectors/${folder}/${file}.ts`,
    quote,
    instead,
  });

export const inDesk = inFolder("frame", "desk");

/** Bugs of the frame, which the tests of every connector catch. */
export const FRAME: readonly PlantedBug[] = [
  {
    name: "an amount's digits below the minor unit are dropped in silence",
    file: "connectors/frame/decimals.ts",
    quote: 'below === "" ? "0" :',
    instead: 'below !== "never" ? "0" :',
  },
  {
    name: "a key that comes twice is accepted",
    file: "connectors/frame/json.ts",
    quote: "if (name in object) throw",
    instead: "if (false) throw",
  },
];
