import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { OpenSession, SportsbookSessions } from "../../../app/sportsbook/sportsbook-sessions.ts";
import type { BrandSchema } from "../../../gen/aggregator/sportsbook/v1/brand_pb.ts";
import type {
  EndSessionRequest,
  ExchangeTokenRequest,
  GetSessionRequest,
  SessionService,
} from "../../../gen/aggregator/sportsbook/v1/session_service_pb.ts";
import type { Brand } from "../../../ports/settings-store.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import type { ProviderKeys } from "../provider/keys.ts";
import { guard, unwrap } from "../server/refusal-error.ts";

/** Serves aggregator.sportsbook.v1.SessionService. */
export class SportsbookSessionHandlers implements ServiceImpl<typeof SessionService> {
  readonly #keys: ProviderKeys;
  readonly #sessions: SportsbookSessions;
  readonly #telemetry: Telemetry;

  constructor(keys: ProviderKeys, sessions: SportsbookSessions, telemetry: Telemetry) {
    this.#keys = keys;
    this.#sessions = sessions;
    this.#telemetry = telemetry;
  }

  exchangeToken({ token }: ExchangeTokenRequest, context: HandlerContext) {
    return guard(this.#telemetry, "ExchangeToken", async () => {
      unwrap(await this.#keys.sportsbook(context));
      return toSession(unwrap(await this.#sessions.exchange(token)));
    });
  }

  getSession({ sessionId }: GetSessionRequest, context: HandlerContext) {
    return guard(this.#telemetry, "GetSession", async () => {
      unwrap(await this.#keys.sportsbook(context));
      return toSession(unwrap(await this.#sessions.get(sessionId)));
    });
  }

  endSession({ sessionId }: EndSessionRequest, context: HandlerContext) {
    return guard(this.#telemetry, "EndSession", async () => {
      unwrap(await this.#keys.sportsbook(context));
      unwrap(await this.#sessions.end(sessionId));
      return {};
    });
  }
}

const toSession = ({ session, merchant, brand, expiresAt }: OpenSession) => ({
  sessionId: session.id,
  playerRef: session.playerRef,
  merchant: merchant.code,
  brand: toBrand(brand),
  currency: merchant.currency,
  language: session.language,
  expiresAt: toTimestamp(expiresAt),
});

/** The brand's settings come from JSON, so the cast is safe. */
export const toBrand = ({ code, theme, layout, settings, allowedOrigins }: Brand) =>
  ({
    brandId: code,
    theme,
    layout,
    settings: settings as JsonObject,
    allowedOrigins: [...allowedOrigins],
  }) satisfies MessageInitShape<typeof BrandSchema>;
