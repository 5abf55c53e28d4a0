/** A fake Slotegrator GIS: it signs its calls, and it checks the signature of a launch. */
import { createHmac } from "node:crypto";
import { repeated } from "../callers/busy.ts";
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type Stage, type StageOptions, startStage } from "./stage.ts";

const MERCHANT = { id: "m1", key: "testKey" } as const;

export interface SlotegratorReply {
  readonly http: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly balance?: number;
    readonly error_code?: string;
    readonly error_description?: string;
  };
}

/** What the connector says when the aggregator is too busy to say what it has recorded. */
const UNCLEAR = "the outcome is not known";

type FieldValue = string | readonly Readonly<Record<string, string>>[];
export type SlotegratorFields = Readonly<Record<string, FieldValue>>;

const encode = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1).replaceAll("*", "%2A");

/** Each field as its encoded name and value, without nesting. */
const flat = (fields: SlotegratorFields): readonly (readonly [string, string])[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[encode(name), encode(value)] as const]
      : value.flatMap((item, n) =>
          Object.entries(item).map(([key, text]) => [encode(`${name}[${n}][${key}]`), encode(text)] as const),
        ),
  );

const written = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join("&");

export const slotegratorSign = (fields: SlotegratorFields, headers: Readonly<Record<string, string>>): string => {
  const sorted = Object.fromEntries(
    Object.entries({ ...fields, ...headers }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as SlotegratorFields;
  return createHmac("sha1", MERCHANT.key)
    .update(written(flat(sorted)))
    .digest("hex");
};

export async function startSlotegratorStage(
  t: Scope,
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const stage: Stage = await startStage(t, {
    api: "slotegrator",
    provider: "SLOTEGRATOR",
    variables: (url) => ({
      SLOTEGRATOR_URL: url,
      SLOTEGRATOR_MERCHANT_ID: MERCHANT.id,
      SLOTEGRATOR_MERCHANT_KEY: MERCHANT.key,
      ...variables,
    }),
    answer: ({ headers, body }) => {
      const fields = Object.fromEntries(new URLSearchParams(body));
      const given = {
        "X-Merchant-Id": String(headers["x-merchant-id"]),
        "X-Timestamp": String(headers["x-timestamp"]),
        "X-Nonce": String(headers["x-nonce"]),
      };
      if (headers["x-sign"] !== slotegratorSign(fields, given)) return '{"name":"Unauthorized","status":401}';
      return JSON.stringify({ url: `https://games.example/${fields.game_uuid}`, success: true, log: [] });
    },
    ...more,
  });

  const headers = { "X-Merchant-Id": MERCHANT.id, "X-Timestamp": "1700000000", "X-Nonce": "n1" };

  /** A signed call, before it is sent. */
  const request = (fields: SlotegratorFields): ProviderCall => ({
    path: "/",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
      "X-Sign": slotegratorSign(fields, headers),
    },
    body: written(flat(fields)),
  });

  /** Sends a body as it is, again while the aggregator is busy, with the signature over the fields unless another header is given. */
  const send = async (
    body: string,
    fields: SlotegratorFields,
    more: Readonly<Record<string, string>> = {},
  ): Promise<SlotegratorReply> =>
    repeated(
      () => sendOnce(body, fields, more),
      (reply) => (reply.body.error_description === UNCLEAR ? "OVERLOADED" : reply.body.error_description),
    );
  const sendOnce = async (
    body: string,
    fields: SlotegratorFields,
    more: Readonly<Record<string, string>>,
  ): Promise<SlotegratorReply> => {
    const reply = await fetch(stage.origin, {
      method: "POST",
      headers: { ...request(fields).headers, ...more },
      body,
    });
    const text = await reply.text();
    return { http: reply.status, text, body: JSON.parse(text) as SlotegratorReply["body"] };
  };

  return {
    ...stage,
    send,
    request,
    call: (fields: SlotegratorFields) => send(written(flat(fields)), fields),
    /** Opens a game and returns the player's fields of a call. */
    async open(fields: object = {}, merchant = "shop-brl"): Promise<{ player_id: string; session_id: string }> {
      const launched = new URLSearchParams((await stage.launch(fields, merchant)).body);
      return { player_id: launched.get("player_id") ?? "", session_id: launched.get("session_id") ?? "" };
    },
  };
}
