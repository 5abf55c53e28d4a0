/**
 * The settings of a connector: a table of variables. The same table reads the environment and prints the help, so the
 * help is always complete.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  checkDatabaseUrl,
  DATABASE_URL_FORM,
  DatabaseUrlError,
  databaseUrlFault,
} from "../../src/domain/access/database-url.ts";
import { readSecretVariables } from "../../src/domain/access/secret-variables.ts";
import { anyText, flag, integer, key32, type Parser, webUrl } from "../../src/domain/access/variable-forms.ts";

export interface Variable<T> {
  readonly parse: Parser<T>;
  /** What the value must be, as in "must be <form>". */
  readonly form: string;
  readonly example: string;
  /** One sentence: what it is. */
  readonly meaning: string;
  /** The value when the variable is not set. Without it the variable is required. */
  readonly standard?: T;
  /** A secret may also be in a file: `NAME_FILE` has the path. */
  readonly isSecret?: boolean;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;
export type Settings<V extends Variables> = { readonly [N in keyof V]: V[N] extends Variable<infer T> ? T : never };

type Env = Readonly<Record<string, string | undefined>>;

/** All faults of the environment, one line for each variable. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** @throws SettingsError with a line for each missing or wrong variable. Values are never shown. */
export function readSettings<V extends Variables>(variables: V, environment: Env): Settings<V> {
  const secrets = Object.keys(variables).filter((name) => variables[name]?.isSecret);
  const { env, faults: unread } = readSecretVariables(environment, secrets, (path) => readFileSync(path, "utf8"));
  const faults = [...unread];
  const read = Object.entries(variables).map(([name, { parse, form, example, standard, isSecret }]) => {
    const text = env[name]?.trim() ?? "";
    if (text === "") {
      if (standard === undefined && !unread.some((fault) => fault.startsWith(`${name}_FILE`)))
        faults.push(
          `${name} is missing: ${form}, for example ${example}${isSecret ? ` (or ${name}_FILE with the path of a file)` : ""}`,
        );
      return [name, standard];
    }
    try {
      const value = parse(text);
      if (value === undefined) faults.push(`${name} must be ${form}, for example ${example}`);
      return [name, value];
    } catch (cause) {
      if (!(cause instanceof DatabaseUrlError)) throw cause;
      faults.push(`${name} ${databaseUrlFault(cause)}`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw new SettingsError(faults.join("\n"));
  return Object.fromEntries(read) as Settings<V>;
}

/** The help: one line for each variable. */
export function describeVariables(variables: Variables): string {
  const width = Math.max(...Object.keys(variables).map((name) => name.length)) + 2;
  return Object.entries(variables)
    .map(([name, { meaning, form, example, standard, isSecret }]) => {
      const otherwise = standard === undefined ? "required" : `default ${standard === "" ? "empty" : String(standard)}`;
      const file = isSecret ? `; ${name}_FILE names a file with it` : "";
      return `  ${name.padEnd(width)}${meaning} (${form}; ${otherwise}; for example ${example}${file})`;
    })
    .join("\n");
}

const port = (standard: number, meaning: string): Variable<number> => ({
  parse: integer(0, 65_535),
  form: "a port, 0 to 65535",
  example: String(standard),
  meaning,
  standard,
});

export const milliseconds = (standard: number, min: number, max: number, meaning: string): Variable<number> => ({
  parse: integer(min, max),
  form: `milliseconds, ${min} to ${max}`,
  example: String(standard),
  meaning,
  standard,
});

export const text = (meaning: string, example: string, standard?: string): Variable<string> => ({
  parse: anyText,
  form: "a text",
  example,
  meaning,
  ...(standard !== undefined && { standard }),
});

export const secret = (meaning: string, example: string): Variable<string> => ({
  ...text(meaning, example),
  form: "a secret text",
  isSecret: true,
});

export const address = (meaning: string, example: string): Variable<string> => ({
  parse: webUrl,
  form: "an http(s) URL without query",
  example,
  meaning,
});

export const choice = (meaning: string, standard: boolean): Variable<boolean> => ({
  parse: flag,
  form: "true or false",
  example: String(!standard),
  meaning,
  standard,
});

/** Off by default: an end is for every player of the round, and the service then refuses their further bets. */
export const roundEnds = (field: string): Variable<boolean> =>
  choice(`Whether ${field} of a bet or win ends its round at the aggregator, for all players; ask the provider`, false);

const pem =
  (read: (key: string) => KeyObject): Parser<KeyObject> =>
  (given) => {
    try {
      const key = read(given.replaceAll("\\n", "\n"));
      return key.asymmetricKeyType === "rsa" ? key : undefined;
    } catch {
      return undefined;
    }
  };

/** An RSA key in PEM. A line break may be written as \n. */
export const rsaKey = (kind: "public" | "private", meaning: string): Variable<KeyObject> => ({
  parse: pem(kind === "public" ? createPublicKey : createPrivateKey),
  form: `an RSA ${kind} key in PEM (a line break may be written as \\n)`,
  example: `-----BEGIN ${kind.toUpperCase()} KEY-----\\n...`,
  meaning,
  isSecret: true,
});

/** The variables that every connector has. */
export const commonVariables = (api: string) => ({
  AGGREGATOR_URL: address("The aggregator's gRPC address for providers", "https://provider.aggregator.example:9090"),
  AGGREGATOR_KEY: secret("The API key of this connector's provider at the aggregator", "9f2c..."),
  MASTER_KEY: {
    parse: key32,
    form: "32 bytes in base64",
    example: "the output of: openssl rand -base64 32",
    meaning: "Encrypts session ids in the database; the same for all replicas of this connector",
    isSecret: true,
  } satisfies Variable<Uint8Array>,
  DATABASE_URL: {
    parse: (given: string) => {
      checkDatabaseUrl(given);
      return given;
    },
    form: DATABASE_URL_FORM,
    example: "mysql://connector:secret@db.example:3306/connectors",
    meaning: "The connector's durable state; all replicas share one database",
    standard: `sqlite:connector-${api}.db`,
    isSecret: true,
  } satisfies Variable<string>,
  HOST: text("The address on which the public ports listen", "0.0.0.0", "0.0.0.0"),
  HTTP_PORT: port(8090, "The port of the wallet API, which the provider calls"),
  GRPC_PORT: port(8091, "The port of GameService, which the aggregator calls: its source"),
  INTERNAL_HOST: text("The address of the internal port", "127.0.0.1", "127.0.0.1"),
  INTERNAL_HTTP_PORT: port(8092, "The internal port: /health/live, /health/ready and /metrics"),
  LAUNCH_TIMEOUT_MS: milliseconds(4_500, 100, 9_000, "How long the provider's launch call may take"),
  KEEP_DAYS: {
    parse: integer(1, 3_650),
    form: "days, 1 to 3650",
    example: "180",
    meaning: "How long sessions and the ids of zero and cut amounts are kept",
    standard: 180,
  } satisfies Variable<number>,
  DRAIN_DELAY_MS: milliseconds(5_000, 0, 600_000, "How long the ports stay open after readiness has ended"),
  LOG_LEVEL: text("The log's level: info, warn, error or silent", "warn", "info"),
});

export type CommonSettings = Settings<ReturnType<typeof commonVariables>>;
