import type { JsonObject } from "@bufbuild/protobuf";
import { PRODUCTS } from "../../../contract/values/products.ts";
import { IMAGES } from "../../domain/catalog/game.ts";
import { type ImportFault, ImportGamesResponseSchema } from "../../gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { GameSchema } from "../../gen/aggregator/admin/v1/game_pb.ts";
import {
  BadValue,
  boolean,
  choice,
  clearable,
  decimal,
  type Flag,
  jsonObject,
  list,
  required,
  switched,
  text,
  time,
} from "../arguments/flag.ts";
import { openInput } from "../arguments/input-file.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput } from "../output/command-output.ts";
import { cursor, limit, reason, somethingTo } from "./common-flags.ts";

const provider = text("code", "The provider's code", "ACME");
const code = required(text("code", "The game's code", "fruits"));
const type = choice("The type that the game already has, because it never changes", "slot", "live");

/** A flag whose value `none` makes the field unknown. In the catalog the field is then null. */
const unknowable = <T>(flag: Flag<T, false>): Flag<T | null, false> => clearable<T | null>(flag, null, "unknown");
/** A list in the form that the request's message needs. */
const values = (flag: Flag<string[], false>): Flag<{ values: string[] }, false> => ({
  ...flag,
  read: (value) => ({ values: flag.read(value) }),
});

const images: Flag<JsonObject, false> = {
  ...jsonObject(
    "The addresses of the game's pictures: thumb, square and background",
    '{"thumb":"https://cdn.acme.example/fruits.webp"}',
  ),
  read: (value) => {
    const parsed = jsonObject("", "").read(value);
    if (
      Object.entries(parsed).every(
        ([key, url]) => (IMAGES as readonly string[]).includes(key) && typeof url === "string",
      )
    )
      return parsed;
    throw new BadValue(`must have the addresses of ${IMAGES.join(", ")}, and nothing else.`);
  },
};

const names: Flag<{ values: Record<string, string> }, false> = {
  ...jsonObject("The game's names in other languages, by language", '{"pt":"Frutas","es":"Frutas"}'),
  read: (value) => {
    const values = jsonObject("", "").read(value);
    if (Object.values(values).every((name) => typeof name === "string"))
      return { values: values as Record<string, string> };
    throw new BadValue("must have a name for each language.");
  },
};

/** The flags of a game's optional fields. */
const details = {
  images: unknowable(images),
  tags: unknowable(values(list("tag", "The game's tags, up to 50", "new,fruit"))),
  rtp: unknowable(decimal("The game's return to player, in percent", "96.2")),
  volatility: unknowable(text("text", "How much the game's wins vary, such as low, medium or high", "medium")),
  freeRounds: unknowable(boolean("Whether the game can give free rounds")),
  jackpot: unknowable(boolean("Whether the game has a jackpot")),
  platforms: unknowable(values(list("platform", "The platforms that the game runs on", "desktop,mobile"))),
  languages: unknowable(values(list("tag", "The game's languages", "pt,es,en"))),
  blockedCountries: unknowable(
    values(list("country", "The countries in which the game may not be offered, as ISO 3166-1 alpha-2 codes", "US,FR")),
  ),
  releasedAt: unknowable(time("The time of the game's release", "2026-01-31")),
  names: unknowable(names),
};

type Set = Readonly<Record<string, unknown>>;
/** Builds the request. `clear` contains the catalog's names of the fields that become unknown. */
const withClear = <T extends Set>(given: T): { [K in keyof T]: Exclude<T[K], null> } & { clear: string[] } => {
  const cleared = Object.keys(given).filter((key) => given[key] === null);
  const kept = Object.entries(given).filter(([, value]) => value !== null);
  const clear = cleared.map((key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return { ...Object.fromEntries(kept), clear } as { [K in keyof T]: Exclude<T[K], null> } & { clear: string[] };
};

const faultLine = (file: string, { line, field, reason: why }: ImportFault): string =>
  `${file}:${line}: ${field === "" ? "" : `${field}: `}${why}`;

export const game: Noun = {
  summary: "The catalog",
  verbs: {
    import: command({
      summary: "Creates and changes the games of a file",
      notes:
        'JSON: [{"provider": "ACME", "code": "fruits", "name": "Fruits", "type": "slot", "demo_available": true, ...}], with the fields of GET /v1/games. ' +
        "The fields provider, code, name and type are required. CSV: the columns have the same names. Pictures are columns such as images.thumb, names in other languages columns such as names.pt, and the items of a list are separated by |. " +
        "The import replaces the games that are in the file, and changes no other game. If a line is wrong, nothing is changed, and the output names every wrong line. " +
        "A file without a wrong line is stored in parts of 250 games: after an interruption, import the same file again.",
      flags: {
        file: required(text("file", "A CSV or JSON file. The value - reads standard input", "games.json")),
        format: choice("The format of the file. By default the end of the file's name decides", "json", "csv"),
        dryRun: switched("Only print the changes, without making them"),
        reason,
      },
      check: ({ file, format }) =>
        (format ?? formatOf(String(file)))
          ? undefined
          : `--format is missing, and the name ${file} doesn't end in .json or .csv. Example: --format csv`,
      examples: ["--file games.json", "--file games.csv --dry-run", "--file - --format json"],
      run: async (api, { file, format = formatOf(file) ?? "", dryRun = false, reason: why = "" }) => {
        const input = await openInput(file);
        const done = await api.catalog.importGames(
          (async function* () {
            yield { format, reason: why, dryRun };
            for await (const chunk of input) yield { chunk };
          })(),
        );
        const { faults, faultCount, created, updated, unchanged } = done;
        const counts = `${created} new, ${updated} changed, ${unchanged} as they were`;
        // The service checks the file before it changes anything. A concurrent change may still stop the import
        // half-way.
        const before = created + updated + unchanged > 0 ? `Stopped after ${counts}` : "Nothing was changed";
        const sentence =
          faultCount > 0
            ? `${before}: ${faultCount} fault${faultCount === 1 ? "" : "s"} in ${file}.`
            : `${dryRun ? "Would be done" : "Done"}: ${counts}.`;
        const unlisted = faultCount - faults.length;
        const lines = [
          ...faults.map((fault) => faultLine(file, fault)),
          ...(unlisted > 0 ? [`and ${unlisted} more`] : []),
        ];
        return recordOutput(ImportGamesResponseSchema, done, { sentence, brief: true, faults: lines });
      },
    }),
    set: command({
      summary: "Changes the given fields of a game",
      flags: {
        provider: required(provider),
        code,
        name: text("name", "A name for people, up to 255 characters", "'Fruits'"),
        type,
        demoAvailable: boolean("Whether the game has a demo with play money"),
        active: boolean("Whether the game can be launched. Its transactions are always accepted"),
        ...details,
        reason,
      },
      check: somethingTo(
        ["name", "type", "demoAvailable", "active", ...Object.keys(details)],
        "--active false, for example",
      ),
      examples: [
        "--provider ACME --code fruits --active false --reason 'broken art'",
        "--provider ACME --code fruits --tags new,fruit --rtp 96.2 --blocked-countries none",
      ],
      run: async (api, given) =>
        recordOutput(GameSchema, (await api.catalog.setGame(withClear(given))).game, {
          sentence: `Changed the game ${given.provider}/${given.code}.`,
        }),
    }),
    show: command({
      summary: "Shows a game",
      flags: {
        provider: {
          ...provider,
          help: "The provider's code. It is needed only if several providers have a game with this code",
        },
        code,
      },
      examples: ["--provider ACME --code fruits"],
      run: async (api, given) => recordOutput(GameSchema, (await api.catalog.getGame(given)).game),
    }),
    list: command({
      summary: "Lists games by provider and code",
      flags: {
        provider: { ...provider, help: "Only games of this provider" },
        type: choice("Only games of this type", ...PRODUCTS),
        active: boolean("Only active games, or only inactive ones"),
        q: text("text", "Only games with this text in their name or code", "fruit"),
        limit: limit(100, 500),
        cursor,
      },
      examples: ["--provider ACME", "--type slot --active false --json"],
      run: async (api, given) => {
        const { games, nextCursor } = await api.catalog.listGames(given);
        return listOutput(GameSchema, games, nextCursor, [
          "provider",
          "code",
          "name",
          "type",
          "active",
          "demo_available",
          "tags",
        ]);
      },
    }),
  },
};

/** The format of a file, recognised by the file's name. */
const formatOf = (file: string): "json" | "csv" | undefined =>
  /\.json$/i.test(file) ? "json" : /\.csv$/i.test(file) ? "csv" : undefined;
