/** Hub88 and Caleta as connectors: the parts of the frame, and the launch. */

import { Device } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import type { Opening } from "../frame/launch.ts";
import { post, urlIn } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import {
  DIALECTS,
  type Dialect,
  type FamilySettings,
  type FamilyVariables,
  familySettings,
  variablesOf,
} from "./dialects.ts";
import { hubGames, signed } from "./games.ts";
import { Hub88Api } from "./hub88.ts";

function connectorOf(dialect: Dialect): Connector<FamilyVariables> {
  return {
    name: dialect.name,
    title: dialect.title,
    variables: variablesOf(dialect),
    commands: { games: hubGames(dialect) },
    unclearBets: (settings) =>
      dialect.endsUnclearBets ? "provider" : familySettings(dialect, settings).reverseAfterMs,
    walletApi: (parts) => new Hub88Api(dialect, parts, familySettings(dialect, parts.settings)),
    launch: (parts) => {
      const settings = familySettings(dialect, parts.settings);
      return async (opening) => {
        const call = signed(settings, dialect, dialect.launchPath, launchBody(settings, dialect, opening));
        return urlIn(await post({ ...call, timeoutMs: parts.settings.LAUNCH_TIMEOUT_MS }));
      };
    },
  };
}

const PLATFORMS: Readonly<Record<number, string>> = {
  [Device.DESKTOP]: "GPL_DESKTOP",
  [Device.MOBILE]: "GPL_MOBILE",
};

/** The body of the launch call. Members without a value are left out. */
function launchBody(settings: FamilySettings, { demoCurrency }: Dialect, { request, session }: Opening): object {
  const given = (name: string, value: string) => (value === "" ? {} : { [name]: value });
  return {
    ...(session !== null && { user: session.alias, token: session.token }),
    ...given("sub_partner_id", settings.subPartnerId),
    platform: PLATFORMS[request.device] ?? settings.platform,
    operator_id: settings.operatorId,
    ...given("lobby_url", request.lobbyUrl),
    ...given("deposit_url", request.depositUrl || settings.depositUrl),
    lang: request.language.split("-")[0],
    ...given("ip", request.playerIp || settings.playerIp),
    game_code: request.gameCode,
    currency: session === null ? demoCurrency : session.currency,
    country: request.country,
  };
}

export const hub88 = connectorOf(DIALECTS.hub88);
export const caleta = connectorOf(DIALECTS.caleta);
