import type { LaunchGame } from "../../../app/merchant/launch.ts";
import { ok } from "../../../domain/errors.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { route } from "../route.ts";

/** POST /v1/game/launch */
export const launch = (launchGame: LaunchGame) =>
  route({
    method: "POST",
    path: "/v1/game/launch",
    query: {},
    answer: async ({ merchant, body }) => {
      const launched = await launchGame.launch(merchant, body);
      if (!launched.ok) return launched;
      const { launchUrl, game, provider, demo } = launched.value;
      return ok({ message: SUCCESS_TEXTS.launch, data: { launch_url: launchUrl, game, provider, demo } });
    },
  });
