/** Red Tiger as a connector: the parts of the frame, and the launch. It is an address that the operator itself builds. */
import { withQuery } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import { RedTigerApi } from "./redtiger.ts";
import { VARIABLES } from "./settings.ts";

export const redtiger: Connector<typeof VARIABLES> = {
  name: "redtiger",
  title: "Red Tiger, by its own wallet API",
  variables: VARIABLES,
  unclearBets: ({ REDTIGER_REVERSE_AFTER_MS: after }) => (after === 0 ? "provider" : after),
  walletApi: (parts) => new RedTigerApi(parts),
  launch:
    ({ settings }) =>
    async ({ request, session }) =>
      withQuery(`${settings.REDTIGER_URL}/${encodeURIComponent(request.gameCode)}`, {
        ...Object.fromEntries(new URLSearchParams(settings.REDTIGER_LAUNCH_OPTIONS)),
        token: session?.token ?? "",
        userId: session?.alias ?? "",
        currency: request.currency,
        casino: settings.REDTIGER_CASINO,
        channel: settings.REDTIGER_CHANNEL,
        lobbyUrl: request.lobbyUrl,
        depositUrl: request.depositUrl || settings.REDTIGER_DEPOSIT_URL,
        playMode: session === null ? "demo" : "real",
      }),
};
