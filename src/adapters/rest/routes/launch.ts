import type { LaunchGame } from "../../../app/merchant/launch.ts";
import { ok } from "../../../domain/errors.ts";
import { readLaunch } from "../../../domain/merchant/launch-policy.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { route } from "../route.ts";

/** The route of POST /v1/game/launch. */
export const launch = (launchGame: LaunchGame) =>
  route({
    method: "POST",
    path: "/v1/game/launch",
    query: {},
    read: ({ body }) => readLaunch(body),
    answer: async ({ merchant, query: request }) => {
      const launched = await launchGame.launch(merchant, request);
      if (!launched.ok) return launched;
      const { launchUrl, game, provider, demo } = launched.value;
      return ok({ message: SUCCESS_TEXTS.launch, data: { launch_url: launchUrl, game, provider, demo } });
    },
  });
