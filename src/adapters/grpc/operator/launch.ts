import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import type { LaunchService } from "../../../gen/aggregator/operator/v1/launch_service_pb.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.operator.v1.LaunchService. */
export const operatorLaunch = (onBehalf: OnBehalf): AdminHandlers<typeof LaunchService> => ({
  async launchGame({ merchant, playerId, game, provider, currency, lang, country, demo, lobbyUrl }, caller) {
    const fields = withoutEmpty({ player_id: playerId, game, provider, currency, lang, country, lobby_url: lobbyUrl });
    return unwrap(await onBehalf.launch({ ...caller, reason: "" }, merchant, { ...fields, demo }));
  },
});
