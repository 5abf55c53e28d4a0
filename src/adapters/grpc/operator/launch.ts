import type { OnBehalf } from "../../../app/admin/on-behalf.ts";
import type { LaunchService } from "../../../gen/aggregator/operator/v1/launch_service_pb.ts";
import type { AdminHandlers } from "../admin/service.ts";
import { withoutEmpty } from "../messages/without-empty.ts";
import { unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.operator.v1.LaunchService. */
export const operatorLaunch = (onBehalf: OnBehalf): AdminHandlers<typeof LaunchService> => ({
  async launchGame({ merchant, demo, ...request }, caller) {
    const fields = withoutEmpty({
      player_id: request.playerId,
      game: request.game,
      provider: request.provider,
      currency: request.currency,
      lang: request.lang,
      country: request.country,
      lobby_url: request.lobbyUrl,
      player_ip: request.playerIp,
      device: request.device,
      deposit_url: request.depositUrl,
      history_url: request.historyUrl,
      display_name: request.displayName,
    });
    return unwrap(await onBehalf.launch({ ...caller, reason: "" }, merchant, { ...fields, demo }));
  },
});
