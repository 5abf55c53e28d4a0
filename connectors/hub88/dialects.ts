/** The two dialects: their addresses, headers, statuses and settings. */
import type { KeyObject } from "node:crypto";
import { integer } from "../../src/domain/access/variable-forms.ts";
import type { Settings, Variable } from "../frame/settings.ts";
import { address, milliseconds, roundEnds, rsaKey, text } from "../frame/settings.ts";
import { CALETA, HUB88, type Table } from "./statuses.ts";

type Route = "info" | "check" | "balance" | "bet" | "win" | "rollback";

export interface Dialect {
  readonly name: "hub88" | "caleta";
  readonly title: string;
  /** The beginning of the variables' names. */
  readonly prefix: "HUB88" | "CALETA";
  readonly routes: Readonly<Record<string, Route>>;
  /** The header with the signature, in lower case. */
  readonly header: string;
  readonly statuses: Table;
  readonly launchPath: string;
  readonly gamesPath: string;
  readonly demoCurrency: string;
  /** Whether the provider rolls every unclear bet back. If not, the connector reverses it. */
  readonly endsUnclearBets: boolean;
}

export const DIALECTS: Readonly<Record<Dialect["name"], Dialect>> = {
  hub88: {
    name: "hub88",
    title: "Hub88, an upstream with the games of many studios",
    prefix: "HUB88",
    routes: {
      "/user/info": "info",
      "/user/balance": "balance",
      "/transaction/bet": "bet",
      "/transaction/win": "win",
      "/transaction/rollback": "rollback",
    },
    header: "x-hub88-signature",
    statuses: HUB88,
    launchPath: "/operator/generic/v2/game/url",
    gamesPath: "/operator/generic/v2/game/list",
    demoCurrency: "XXX",
    endsUnclearBets: true,
  },
  caleta: {
    name: "caleta",
    title: "Caleta Gaming, whose API is of Hub88's family",
    prefix: "CALETA",
    routes: {
      "/wallet/check": "check",
      "/wallet/balance": "balance",
      "/wallet/bet": "bet",
      "/wallet/win": "win",
      "/wallet/rollback": "rollback",
    },
    header: "x-auth-signature",
    statuses: CALETA,
    launchPath: "/api/game/url",
    gamesPath: "/api/game/list",
    demoCurrency: "FUN",
    endsUnclearBets: false,
  },
};

export type FamilyVariables = Readonly<Record<string, Variable<unknown>>>;

export interface FamilySettings {
  readonly url: string;
  readonly operatorId: number | string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly subPartnerId: string;
  readonly timeoutMs: number;
  readonly reverseAfterMs: number;
  readonly platform: string;
  readonly playerIp: string;
  readonly depositUrl: string;
  readonly roundEnds: boolean;
}

const operatorId: Variable<string> = {
  parse: (given) => (/^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : undefined),
  form: "the number or name that the provider gave you",
  example: "1",
  meaning: "operator_id of our calls",
};

/** The variables of a dialect; each name begins with its prefix. */
export function variablesOf({ prefix, name, endsUnclearBets }: Dialect): FamilyVariables {
  const own: Readonly<Record<string, Variable<unknown>>> = {
    URL: address("The provider's API for operators, without a path of a call", `https://api.${name}.example`),
    OPERATOR_ID: operatorId,
    PUBLIC_KEY: rsaKey("public", "The provider's key: it verifies the calls of the wallet API"),
    PRIVATE_KEY: rsaKey("private", "Your key: it signs our calls; the provider has its public part"),
    SUB_PARTNER_ID: text("sub_partner_id of our calls: a brand of yours; left out if empty", "my-casino", ""),
    TIMEOUT_MS: milliseconds(5_000, 500, 60_000, "How long the provider waits for an answer; ask the provider"),
    PLATFORM: text("The platform of launches: GPL_DESKTOP or GPL_MOBILE", "GPL_MOBILE", "GPL_DESKTOP"),
    PLAYER_IP: text("ip of launches; left out if empty", "203.0.113.7", ""),
    ROUND_ENDS: roundEnds("round_closed"),
    DEPOSIT_URL: text("deposit_url of launches; left out if empty", "https://casino.example/deposit", ""),
    ...(!endsUnclearBets && {
      REVERSE_AFTER_MS: {
        ...milliseconds(300_000, 1_000, 86_400_000, "When the connector itself reverses a bet without a clear answer"),
        parse: integer(1_000, 86_400_000),
      },
    }),
  };
  return Object.fromEntries(Object.entries(own).map(([variable, about]) => [`${prefix}_${variable}`, about]));
}

export function familySettings({ prefix }: Dialect, settings: Settings<FamilyVariables>): FamilySettings {
  const value = <T>(name: string): T => settings[`${prefix}_${name}`] as T;
  const id = value<string>("OPERATOR_ID");
  return {
    url: value("URL"),
    // The documentation of the API shows a number. A name stays a text.
    operatorId: /^\d{1,15}$/.test(id) ? Number(id) : id,
    publicKey: value("PUBLIC_KEY"),
    privateKey: value("PRIVATE_KEY"),
    subPartnerId: value("SUB_PARTNER_ID"),
    timeoutMs: value("TIMEOUT_MS"),
    reverseAfterMs: value("REVERSE_AFTER_MS"),
    platform: value("PLATFORM"),
    playerIp: value("PLAYER_IP"),
    depositUrl: value("DEPOSIT_URL"),
    roundEnds: value("ROUND_ENDS"),
  };
}
