/**
 * Makes a Postman collection (format 2.1) from the API's description, with a folder for each tag and a request for each
 * operation and callback. A list has a second request for its next page. A bet has a second request that repeats the
 * bet.
 */
import { readFileSync } from "node:fs";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: { readonly default?: unknown };
}
type ByPathAndMethod = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: Operation }>>>>;
}
export interface ApiDescription {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: ByPathAndMethod;
}

/** The variables that users of the collection fill in. */
const VARIABLES = {
  baseUrl: "https://api.aggregator.example",
  walletUrl: "https://wallet.example/hooks/wallet",
  merchantId: "casa-luna-brl",
  merchantSecret: "sk_...",
  playerId: "u-1",
  provider: "AURORA",
  game: "solar-crown",
  pageSize: "2",
  from: "2026-01-01",
  to: "2026-01-31",
};

/** The variables that the script check.js sets from replies, for later requests. */
const REMEMBERED = ["txId", "resendTxId", "txProvider", "roundId", "cursor", "betTxId", "winTxId"] as const;

/** The variables of fields and parameters. */
const FILLED: Readonly<Record<string, keyof typeof VARIABLES | (typeof REMEMBERED)[number]>> = {
  player_id: "playerId",
  provider: "provider",
  game: "game",
  code: "game",
  tx_id: "txId",
  round_id: "roundId",
  limit: "pageSize",
  from: "from",
  to: "to",
};
/** Variables for names that have another meaning in a path. */
const OF_PATH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/v1/transactions/{tx_id}/resend": { tx_id: "{{resendTxId}}" },
  "/v1/rounds/{provider}/{round_id}": { provider: "{{txProvider}}" },
};
const variable = (name: string): string | undefined => (FILLED[name] === undefined ? undefined : `{{${FILLED[name]}}}`);

const JSON_TYPE = "application/json";
const script = (name: string): readonly string[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
const event = (listen: "prerequest" | "test", exec: readonly string[]): object => ({
  listen,
  script: { type: "text/javascript", exec },
});

export function postmanCollection({ info, tags, paths }: ApiDescription): object {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, one]) => [
      { one, item: call(path, method, one) },
      ...(isList(one) ? [{ one, item: call(path, method, one, { nextPage: true }) }] : []),
    ]),
  );
  const callbacks = Object.values(paths)
    .flatMap(Object.values<Operation>)
    .flatMap(({ callbacks: own = {} }) => Object.entries(own))
    .flatMap(([action, byUrl]) =>
      Object.values(byUrl).flatMap(({ post }) => [
        { one: post, item: callback(action, post) },
        ...(action === "bet" ? [{ one: post, item: callback(action, post, { again: true }) }] : []),
      ]),
    );
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    event: [event("prerequest", script("sign.js")), event("test", script("check.js"))],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: [...calls, ...callbacks].filter(({ one }) => one.tags[0] === name).map(({ item }) => item),
    })),
  };
}

const isList = ({ parameters = [] }: Operation): boolean => parameters.some(({ name }) => name === "cursor");

export const postmanEnvironment = (name: string): object => ({
  name,
  values: Object.entries({ ...VARIABLES, ...Object.fromEntries(REMEMBERED.map((key) => [key, ""])) }).map(
    ([key, value]) => ({
      key,
      value,
      type: key === "merchantSecret" ? "secret" : "default",
      enabled: true,
    }),
  ),
  _postman_variable_scope: "environment",
});

/** @param nextPage - whether the request reads the page after the last page of the same list. */
function call(path: string, method: string, operation: Operation, { nextPage = false } = {}): object {
  const { parameters = [] } = operation;
  const segments = path.split("/").slice(1);
  return {
    name: nextPage ? `${operation.summary}: the next page` : operation.summary,
    event: [event("test", [statusCheck(operation)])],
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...bodyOf(operation),
      url: {
        raw: `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
        host: ["{{baseUrl}}"],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1")),
        variable: segments
          .filter((segment) => segment.startsWith("{"))
          .map((segment) => segment.slice(1, -1))
          .map((name) => ({
            key: name,
            value: OF_PATH[path]?.[name] ?? variable(name) ?? "",
            description: parameters.find((one) => one.name === name)?.description ?? "",
          })),
        query: parameters.filter((one) => one.in === "query").map((one) => queryOf(one, nextPage)),
      },
    },
  };
}

/**
 * The query parameters. Optional parameters are listed, but switched off, except the page size and the cursor of a next
 * page.
 */
const queryOf = ({ name, description, required, schema }: Parameter, nextPage: boolean): object => {
  const isOn = required === true || name === "limit" || (nextPage && name === "cursor");
  return {
    key: name,
    description,
    ...(isOn
      ? { value: name === "cursor" ? "{{cursor}}" : (variable(name) ?? "") }
      : { value: String(schema.default ?? ""), disabled: true }),
  };
};

/** The test that the reply has the status of success. */
const statusCheck = ({ responses }: Operation): string => {
  const status = Object.keys(responses)[0];
  return `pm.test("status ${status}", () => pm.response.to.have.status(${status}));`;
};

/** @param again - whether the request repeats the last bet. */
const callback = (action: string, operation: Operation, { again = false } = {}): object => ({
  name: again ? `${operation.summary}: the same one again` : operation.summary,
  event: [event("test", [statusCheck(operation)])],
  request: {
    method: "POST",
    description: operation.description,
    ...bodyOf(
      operation,
      [
        { key: "X-Request-Id", value: "{{$guid}}" },
        { key: "X-Attempt", value: again ? "2" : "1" },
      ],
      // These ids belong to no provider. Each run of the collection makes new ids, so two runs make two bets.
      {
        provider: "TEST",
        round_id: "test-round",
        tx_id: again ? "{{betTxId}}" : "TEST:{{$guid}}",
        ref_tx_id: action === "refund" ? "{{betTxId}}" : "{{winTxId}}",
      },
    ),
    url: { raw: "{{walletUrl}}", host: ["{{walletUrl}}"] },
  },
});

/**
 * The first example, with variables for some values.
 *
 * @param values - values that replace the example's.
 */
function bodyOf(
  { requestBody }: Operation,
  headers: readonly object[] = [],
  values: Readonly<Record<string, string>> = {},
): object {
  if (requestBody === undefined || !requestBody.required) return { header: headers };
  const [example] = Object.values(requestBody.content[JSON_TYPE]?.examples ?? {});
  const raw = JSON.stringify(
    example?.value,
    (name, value) => (typeof value === "string" ? (values[name] ?? variable(name) ?? value) : value),
    2,
  );
  return {
    header: [{ key: "Content-Type", value: JSON_TYPE }, ...headers],
    body: { mode: "raw", raw, options: { raw: { language: "json" } } },
  };
}
