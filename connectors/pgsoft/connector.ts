/** PG Soft as a connector: the parts of the frame, and the launch. It is an address that the operator itself builds. */
import { withQuery } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import { PgSoftApi } from "./pgsoft.ts";
import { VARIABLES } from "./settings.ts";

export const pgsoft: Connector<typeof VARIABLES> = {
  name: "pgsoft",
  title: "PG Soft, by its seamless wallet",
  variables: VARIABLES,
  unclearBets: ({ PGSOFT_REVERSE_AFTER_MS: after }) => (after === 0 ? "provider" : after),
  walletApi: (parts) => new PgSoftApi(parts),
  launch:
    ({ settings }) =>
    async ({ request, session }) => {
      if (session === null) throw new Error("PG Soft's demos are not supported");
      return withQuery(`${settings.PGSOFT_URL}/${encodeURIComponent(request.gameCode)}/index.html`, {
        ...Object.fromEntries(new URLSearchParams(settings.PGSOFT_LAUNCH_OPTIONS)),
        btt: "1",
        ot: settings.PGSOFT_OPERATOR_TOKEN,
        ops: session.token,
        l: request.language.split("-")[0] ?? "",
      });
    },
};
