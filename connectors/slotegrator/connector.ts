/** Slotegrator GIS as a connector: the parts of the frame, the launch, and the upstream's own test of an operator. */
import { Device } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import type { Opening } from "../frame/launch.ts";
import { post, urlIn } from "../frame/outgoing.ts";
import type { Connector } from "../frame/process.ts";
import type { Settings } from "../frame/settings.ts";
import { type Form, writeForm } from "./form.ts";
import { slotegratorGames } from "./games.ts";
import { SLOTEGRATOR_VARIABLES, type SlotegratorVariables } from "./settings.ts";
import { headersFor } from "./sign.ts";
import { SlotegratorApi } from "./slotegrator.ts";

type Access = Pick<
  Settings<SlotegratorVariables>,
  "SLOTEGRATOR_URL" | "SLOTEGRATOR_MERCHANT_ID" | "SLOTEGRATOR_MERCHANT_KEY"
>;

const SELF_VALIDATION_MS = 120_000;

export const slotegrator: Connector<SlotegratorVariables> = {
  name: "slotegrator",
  title: "Slotegrator GIS, an upstream with the games of many studios",
  variables: SLOTEGRATOR_VARIABLES,
  unclearBets: ({ SLOTEGRATOR_REVERSE_AFTER_MS: after }) => (after === 0 ? "provider" : after),
  walletApi: (parts) => new SlotegratorApi(parts),
  launch: ({ settings }) => {
    return async (opening) => {
      const path = opening.session === null ? "/games/init-demo" : "/games/init";
      const form = launchForm(opening, settings.SLOTEGRATOR_DEVICE);
      return urlIn(await call(settings, path, form, settings.LAUNCH_TIMEOUT_MS));
    };
  },
  commands: {
    games: slotegratorGames,
    "self-validate": {
      usage: "  asks Slotegrator to test the wallet API; a game must have been opened 15 minutes ago or later",
      needs: ["SLOTEGRATOR_URL", "SLOTEGRATOR_MERCHANT_ID", "SLOTEGRATOR_MERCHANT_KEY"],
      async run(settings) {
        const answer: unknown = JSON.parse(await call(settings, "/self-validate", new Map(), SELF_VALIDATION_MS));
        process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
        return (answer as { success?: unknown } | null)?.success === true ? 0 : 1;
      },
    },
  },
};

const DEVICES: Readonly<Record<Device, string>> = {
  [Device.UNSPECIFIED]: "",
  [Device.DESKTOP]: "desktop",
  [Device.MOBILE]: "mobile",
};

/** The fields of the launch. Fields without a value are left out. */
function launchForm({ request, session }: Opening, device: string): Form {
  const form: Form = new Map([["game_uuid", request.gameCode]]);
  if (session !== null)
    form
      .set("player_id", session.alias)
      .set("player_name", request.displayName || session.alias)
      .set("currency", session.currency)
      .set("session_id", session.token);
  const ownDevice = DEVICES[request.device] || device;
  if (ownDevice !== "") form.set("device", ownDevice);
  if (request.lobbyUrl !== "") form.set("return_url", request.lobbyUrl);
  return form.set("language", request.language.split("-")[0] ?? "");
}

/** The answer to a signed call of Slotegrator. */
async function call(settings: Access, path: string, form: Form, timeoutMs: number): Promise<string> {
  const { SLOTEGRATOR_URL, SLOTEGRATOR_MERCHANT_ID: merchantId, SLOTEGRATOR_MERCHANT_KEY: merchantKey } = settings;
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    ...headersFor(form, { merchantId, merchantKey }),
  };
  return post({ url: `${SLOTEGRATOR_URL}${path}`, headers, body: writeForm(form), timeoutMs });
}
