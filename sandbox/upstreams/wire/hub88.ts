/** How Hub88 and Caleta speak: their addresses, the signatures of their calls, and what they read in a launch. */
import { generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { Received, UpstreamCall } from "./fake-server.ts";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject): string =>
  key.export({ type: key.type === "public" ? "spki" : "pkcs8", format: "pem" }).toString();

const DIALECTS = {
  hub88: {
    prefix: "HUB88",
    header: "x-hub88-signature",
    paths: {
      bet: "/transaction/bet",
      win: "/transaction/win",
      rollback: "/transaction/rollback",
      balance: "/user/balance",
    },
  },
  caleta: {
    prefix: "CALETA",
    header: "x-auth-signature",
    paths: { bet: "/wallet/bet", win: "/wallet/win", rollback: "/wallet/rollback", balance: "/wallet/balance" },
  },
} as const;

export type HubApi = keyof typeof DIALECTS;
export type HubCall = keyof (typeof DIALECTS)["hub88"]["paths"];

/** The body of a launch call. */
export interface HubLaunch {
  readonly user: string;
  readonly token: string;
  readonly game_code: string;
  readonly currency: string;
  readonly lang: string;
  readonly lobby_url?: string;
}

const ours = pair();
const theirs = pair();

/** An upstream of one dialect. Its keys are made at each start of the process. */
export const hubWire = (api: HubApi) => {
  const { prefix, header, paths } = DIALECTS[api];
  return {
    paths,
    /** The provider's code at the aggregator. */
    provider: prefix,
    /** The settings that a connector needs, given the address of the upstream's API. */
    variables: (url: string): Readonly<Record<string, string>> => ({
      [`${prefix}_URL`]: url,
      [`${prefix}_OPERATOR_ID`]: "7",
      [`${prefix}_PUBLIC_KEY`]: pem(theirs.publicKey),
      [`${prefix}_PRIVATE_KEY`]: pem(ours.privateKey),
    }),
    /** A call with this body, signed with the upstream's key unless another signature is given. The body may have any bytes. */
    request: <Body extends string | Buffer>(
      path: string,
      body: Body,
      signature?: string,
    ): Omit<UpstreamCall, "body"> & { readonly body: Body } => ({
      path,
      headers: {
        "content-type": "application/json",
        [header]: signature ?? sign("sha256", Buffer.from(body), theirs.privateKey).toString("base64"),
      },
      body,
    }),
    /** A call of the connector; undefined: its signature is wrong. */
    read<T>({ headers, body }: Received): T | undefined {
      const signature = Buffer.from(String(headers[header]), "base64");
      return verify("sha256", Buffer.from(body), ours.publicKey, signature) ? (JSON.parse(body) as T) : undefined;
    },
  };
};

export type HubWire = ReturnType<typeof hubWire>;

/** An amount on the wire, in 100 000ths of the major unit. */
export const HUB_SCALE = 100_000;
