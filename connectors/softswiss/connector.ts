/** SOFTSWISS and BGaming as a connector: the parts of the frame, and the launch. */
import { Device } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { Deadline } from "../frame/deadline.ts";
import { toInteger } from "../frame/decimals.ts";
import type { Launch, Opening } from "../frame/launch.ts";
import { post } from "../frame/outgoing.ts";
import type { Connector, Parts } from "../frame/process.ts";
import type { Settings } from "../frame/settings.ts";
import { hmac } from "../frame/verify.ts";
import { shiftOf, VARIABLES } from "./settings.ts";
import { SoftswissApi } from "./softswiss.ts";

export const softswiss: Connector<typeof VARIABLES> = {
  name: "softswiss",
  title: "SOFTSWISS game aggregator and BGaming, which speak the same API",
  variables: VARIABLES,
  unclearBets: () => "provider",
  walletApi: (parts) => new SoftswissApi(parts),
  launch: (parts): Launch => {
    const { settings } = parts;
    return async (opening) => {
      const body = JSON.stringify({ ...about(settings, opening), ...(await playerOf(parts, opening)) });
      const answer = JSON.parse(
        await post({
          url: `${settings.SOFTSWISS_URL}/${opening.session === null ? "demo" : "sessions"}`,
          headers: {
            "content-type": "application/json",
            "x-request-sign": hmac("sha256", settings.SOFTSWISS_AUTH_TOKEN, body),
          },
          body,
          timeoutMs: settings.LAUNCH_TIMEOUT_MS,
        }),
      ) as { launch_options?: { game_url?: unknown } } | null;
      const url = answer?.launch_options?.game_url;
      if (typeof url !== "string") throw new Error("the upstream's answer has no game_url");
      return url;
    };
  },
};

const CLIENT_TYPES: Readonly<Record<number, string>> = { [Device.DESKTOP]: "desktop", [Device.MOBILE]: "mobile" };

function about(settings: Settings<typeof VARIABLES>, { request }: Opening) {
  const deposit = request.depositUrl || settings.SOFTSWISS_DEPOSIT_URL;
  return {
    casino_id: settings.SOFTSWISS_CASINO_ID,
    game: request.gameCode,
    locale: request.language.split("-")[0],
    ip: request.playerIp || settings.SOFTSWISS_PLAYER_IP,
    client_type: CLIENT_TYPES[request.device] ?? settings.SOFTSWISS_CLIENT_TYPE,
    urls: {
      ...(deposit !== "" && { deposit_url: deposit }),
      ...(request.lobbyUrl !== "" && { return_url: request.lobbyUrl }),
    },
  };
}

/** The player of a launch. The upstream wants the balance, which is 0 if the wallet does not answer soon. */
async function playerOf({ settings, desk }: Parts<typeof VARIABLES>, { request, session }: Opening): Promise<object> {
  if (session === null) return {};
  const { alias, currency, country } = session;
  const { balance = 0n } = await desk.balance(session, session.game, new Deadline(settings.LAUNCH_TIMEOUT_MS / 2));
  const name = request.displayName || alias;
  return {
    currency,
    balance: Number(toInteger(balance, currency, shiftOf(settings, currency))),
    user: { id: alias, firstname: alias, lastname: alias, nickname: name, country },
  };
}
