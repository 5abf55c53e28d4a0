import type { Container } from "inversify";
import { Settings } from "../app/runtime/settings.ts";
import type { Config } from "../config.ts";
import { SPORTSBOOK, SPORTSBOOK_GAME } from "../domain/catalog/provider.ts";
import { Clock } from "../ports/clock.ts";
import { SettingsStore } from "../ports/settings-store.ts";
import { Telemetry } from "../ports/telemetry.ts";
import { bind } from "./bind.ts";
import { ENDING_PROVIDER_IDS, MERCHANT_IDS, MERCHANTS, POLICY, SPORTSBOOK_GAME_REF, SURROUNDINGS } from "./tokens.ts";

/**
 * Binds the settings in memory, values that are read from them, and the values of the configuration that several
 * classes share.
 */
export function bindSettings(container: Container, config: Config): void {
  bind(container, Settings, [SettingsStore, Clock, Telemetry]);
  container.bind(MERCHANTS).toResolvedValue((settings) => () => settings.merchants(), [Settings]);
  container
    .bind(ENDING_PROVIDER_IDS)
    .toResolvedValue(
      (settings) => () =>
        settings.providers().flatMap(({ id, endsRoundsSince }) => (endsRoundsSince === null ? [] : [id])),
      [Settings],
    );
  container.bind(MERCHANT_IDS).toResolvedValue((merchants) => () => merchants().map(({ id }) => id), [MERCHANTS]);
  container.bind(SPORTSBOOK_GAME_REF).toResolvedValue(
    (settings) => () => {
      // The first migration inserts this game.
      const game = settings.game(SPORTSBOOK, SPORTSBOOK_GAME);
      if (game === undefined) throw new Error("the sportsbook is not in the settings");
      return { id: game.id, code: game.code, providerId: game.providerId, provider: game.provider };
    },
    [Settings],
  );
  container.bind(POLICY).toConstantValue({
    walletTimeoutMs: config.walletTimeoutMs,
    horizonMs: config.resendHorizonMs,
    quietPeriodMs: config.refundQuietPeriodMs,
  });
  container
    .bind(SURROUNDINGS)
    .toConstantValue({ environment: config.environment, sportsbookUrl: config.sportsbookUrl });
}
