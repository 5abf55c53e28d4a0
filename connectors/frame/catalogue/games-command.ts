/** The command `games` of a connector: the upstream's list of games as the file of an import. */
import { parseArgs } from "node:util";
import type { ConnectorCommand } from "../process.ts";
import type { Settings, Variables } from "../settings.ts";
import { type ListedGame, type Say, writeCatalogue } from "./import-file.ts";

/** How long the upstream may take to answer one call. */
export const LIST_TIMEOUT_MS = 60_000;

/** What a connector says about its list. */
export interface Catalogue<V extends Variables> {
  /** The name of the connector. */
  readonly name: string;
  /** The names of the variables that the command needs. */
  readonly needs: readonly (keyof V & string)[];
  /**
   * Pulls the whole list. `demo`: whether the operator says that demos of all games may be opened.
   *
   * @returns the games with the names of the import file, without their provider.
   */
  pull(settings: Settings<V>, demo: boolean): Promise<readonly ListedGame[]>;
}

export const gamesCommand = <V extends Variables>(
  { name, needs, pull }: Catalogue<V>,
  say: Say = console.log,
): ConnectorCommand<V> => ({
  usage: "[--file games.json] [--provider CODE] [--demo]   writes the import file of games, and tells what has changed",
  needs,
  async run(settings, args) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        file: { type: "string", default: `games-${name}.json` },
        provider: { type: "string", default: name.toUpperCase() },
        demo: { type: "boolean", default: false },
      },
    });
    const games = await pull(settings, values.demo);
    return writeCatalogue(
      values.file,
      games.map((game) => ({ provider: values.provider, ...game })),
      say,
    );
  },
});

/** The value if it is a text that is not empty; otherwise undefined, which is left out. */
export const givenText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The texts that are not empty, each once. */
export const tagsOf = (...values: readonly unknown[]): readonly string[] => [
  ...new Set(values.map(givenText).filter((text) => text !== undefined)),
];

/** A return to player in percent; undefined: the list has none. */
export const rtpOf = (value: unknown): number | undefined => {
  const rtp = typeof value === "number" || typeof value === "string" ? Number(value) : 0;
  return rtp > 0 ? rtp : undefined;
};
