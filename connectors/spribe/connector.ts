/** Spribe as a connector: the parts of the frame, and the launch. It is an address that the operator itself builds. */
import { withQuery } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import { VARIABLES } from "./settings.ts";
import { SpribeApi } from "./spribe.ts";

export const spribe: Connector<typeof VARIABLES> = {
  name: "spribe",
  title: "Spribe: Aviator and other games, by its wallet API",
  variables: VARIABLES,
  unclearBets: ({ SPRIBE_REVERSE_AFTER_MS: after }) => (after === 0 ? "provider" : after),
  walletApi: (parts) => new SpribeApi(parts),
  launch:
    ({ settings }) =>
    async ({ request, session }) => {
      if (session === null) throw new Error("Spribe's demos are not supported");
      return withQuery(`${settings.SPRIBE_URL}/games/launch/${encodeURIComponent(request.gameCode)}`, {
        ...Object.fromEntries(new URLSearchParams(settings.SPRIBE_LAUNCH_OPTIONS)),
        user: session.alias,
        token: session.token,
        lang: request.language.split("-")[0] ?? "",
        currency: session.currency,
        operator: settings.SPRIBE_OPERATOR,
        return_url: request.lobbyUrl,
        account_history_url: request.historyUrl,
      });
    },
};
