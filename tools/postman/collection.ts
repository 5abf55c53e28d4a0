/**
 * Makes a Postman collection (format 2.1) from the API's description, with a folder for each tag and a request for each
 * operation and callback.
 */
import { readFileSync } from "node:fs";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: { readonly default?: unknown };
}
interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
}
export interface ApiDescription {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
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
  txId: "AURORA:77120",
  roundId: "r-9",
  from: "2026-01-01",
  to: "2026-01-31",
};

/** The variables of fields and parameters. */
const FILLED: Readonly<Record<string, keyof typeof VARIABLES>> = {
  player_id: "playerId",
  provider: "provider",
  game: "game",
  code: "game",
  tx_id: "txId",
  round_id: "roundId",
  from: "from",
  to: "to",
};
const variable = (name: string): string | undefined => (FILLED[name] === undefined ? undefined : `{{${FILLED[name]}}}`);

/** The ids of the description's examples, replaced by ids that are made from the variable txId. */
const IDS: Readonly<Record<string, string>> = {
  "AURORA:77120": "{{txId}}",
  "AURORA:77121": "{{txId}}-win",
  "AURORA:77122": "{{txId}}-refund",
  "AURORA:77123": "{{txId}}-rollback",
};

const JSON_TYPE = "application/json";
const script = readFileSync(new URL("sign.js", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

export function postmanCollection({ info, tags, paths, webhooks }: ApiDescription): object {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => ({ one, item: call(path, method, one) })),
  );
  const callbacks = Object.values(webhooks).map(({ post }) => ({ one: post, item: callback(post) }));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    event: [{ listen: "prerequest", script: { type: "text/javascript", exec: script } }],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: [...calls, ...callbacks].filter(({ one }) => one.tags[0] === name).map(({ item }) => item),
    })),
  };
}

export const postmanEnvironment = (name: string): object => ({
  name,
  values: Object.entries(VARIABLES).map(([key, value]) => ({
    key,
    value,
    type: key === "merchantSecret" ? "secret" : "default",
    enabled: true,
  })),
  _postman_variable_scope: "environment",
});

function call(path: string, method: string, operation: Operation): object {
  const parameters = (operation.parameters ?? []).filter((one): one is Parameter => "name" in one);
  const segments = path.split("/").slice(1);
  const query = parameters.filter((one) => one.in === "query");
  return {
    name: operation.summary,
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
          .map((segment) => named(segment.slice(1, -1), parameters)),
        query: query.map((one) => ({
          key: one.name,
          description: one.description,
          // Optional parameters are there, but switched off.
          ...(one.required === true
            ? { value: variable(one.name) ?? "" }
            : { value: String(one.schema.default ?? ""), disabled: true }),
        })),
      },
    },
  };
}

const named = (name: string, parameters: readonly Parameter[]): object => ({
  key: name,
  value: variable(name) ?? "",
  description: parameters.find((one) => one.name === name)?.description ?? "",
});

const callback = (operation: Operation): object => ({
  name: operation.summary,
  request: {
    method: "POST",
    description: operation.description,
    ...bodyOf(operation, [
      { key: "X-Request-Id", value: "{{$guid}}" },
      { key: "X-Attempt", value: "1" },
    ]),
    url: { raw: "{{walletUrl}}", host: ["{{walletUrl}}"] },
  },
});

/** The first example, with the variables in it. */
function bodyOf({ requestBody }: Operation, headers: readonly object[] = []): object {
  if (requestBody === undefined || !requestBody.required) return { header: headers };
  const [example] = Object.values(requestBody.content[JSON_TYPE]?.examples ?? {});
  const raw = JSON.stringify(
    example?.value,
    (name, value) => (typeof value === "string" ? (IDS[value] ?? variable(name) ?? value) : value),
    2,
  );
  return {
    header: [{ key: "Content-Type", value: JSON_TYPE }, ...headers],
    body: { mode: "raw", raw, options: { raw: { language: "json" } } },
  };
}
