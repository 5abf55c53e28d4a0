/** A fake Hub88 and a fake Caleta: they sign their calls, and they check the signature of a launch. */
import { generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { Scope } from "../stage/world.ts";
import { type ProviderCall, type Stage, type StageOptions, startStage } from "./stage.ts";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject): string =>
  key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();

const PATHS = {
  hub88: {
    bet: "/transaction/bet",
    win: "/transaction/win",
    rollback: "/transaction/rollback",
    balance: "/user/balance",
  },
  caleta: { bet: "/wallet/bet", win: "/wallet/win", rollback: "/wallet/rollback", balance: "/wallet/balance" },
} as const;

export type HubCall = keyof (typeof PATHS)["hub88"];
export type HubAnswer = Readonly<Record<string, unknown>> & { readonly status: string; readonly balance?: number };

const ours = pair();
const theirs = pair();

export async function startHubStage(
  t: Scope,
  api: "hub88" | "caleta" = "hub88",
  more: Partial<StageOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const { upper, header } =
    api === "hub88" ? { upper: "HUB88", header: "x-hub88-signature" } : { upper: "CALETA", header: "x-auth-signature" };
  const stage: Stage = await startStage(t, {
    api,
    provider: upper,
    variables: (url) => ({
      [`${upper}_URL`]: url,
      [`${upper}_OPERATOR_ID`]: "7",
      [`${upper}_PUBLIC_KEY`]: pem(theirs.publicKey),
      [`${upper}_PRIVATE_KEY`]: pem(ours.privateKey),
      ...variables,
    }),
    answer: ({ headers, body }) => {
      const signature = Buffer.from(String(headers[header]), "base64");
      if (!verify("sha256", Buffer.from(body), ours.publicKey, signature)) return '{"error":"signature"}';
      const { token = "", game_code } = JSON.parse(body) as { token?: string; game_code?: string };
      return JSON.stringify({ url: `https://games.example/${game_code}?token=${token}` });
    },
    ...more,
  });

  /** The call with this body, signed with the provider's key unless another signature is given. */
  const requestOf = (path: string, body: string, signature?: string): ProviderCall => ({
    path,
    headers: {
      "content-type": "application/json",
      [header]: signature ?? sign("sha256", Buffer.from(body), theirs.privateKey).toString("base64"),
    },
    body,
  });
  const send = async (path: string, body: string, signature?: string): Promise<HubAnswer> => {
    const { headers } = requestOf(path, body, signature);
    const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status}`);
    const answer = (await reply.json()) as HubAnswer;
    return answer.status === "RS_ERROR_UNKNOWN" && (await stage.wasBusy()) ? send(path, body, signature) : answer;
  };

  return {
    ...stage,
    send,
    path: (call: HubCall) => PATHS[api][call],
    call: (call: HubCall, fields: object) => send(PATHS[api][call], JSON.stringify(fields)),
    request: (call: HubCall, fields: object) => requestOf(PATHS[api][call], JSON.stringify(fields)),
    /** Opens a game and returns the user and token that the provider got. */
    async open(fields: object = {}, merchant = "shop-brl"): Promise<{ user: string; token: string }> {
      return JSON.parse((await stage.launch(fields, merchant)).body) as { user: string; token: string };
    },
  };
}

let number = 0;
/** The fields of a call of the API with ids of its own. `amount` is in 100 000ths of the major unit. */
export function hubFields(who: { user: string; token: string }, more: object = {}) {
  number += 1;
  return {
    user: who.user,
    token: who.token,
    supplier_user: who.user,
    transaction_uuid: `tx-${number}`,
    supplier_transaction_id: `s-${number}`,
    request_uuid: `req-${number}`,
    round: `round-${number}`,
    round_closed: false,
    game_code: "lucky",
    currency: "BRL",
    amount: 250_000,
    is_free: false,
    ...more,
  };
}
