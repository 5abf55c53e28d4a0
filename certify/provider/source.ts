/** The provider's source, opened as the service opens it at a launch (docs/specification/provider-api.md#prov-open). */
import { type Client, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type Currency, countryOf } from "../../src/domain/values/money.ts";
import { GameService } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import type { Session } from "./aggregator/session.ts";
import { VERSION } from "./version.ts";

export const OPEN_WITHIN_MS = 5_000;
const LAUNCH_URL_MAX_BYTES = 8_192;

/** The result of OpenGame. */
export type Opening =
  | { readonly launchUrl: string; readonly ms: number }
  /** The text of the fault. */
  | { readonly fault: string };

export class Source {
  readonly #client: Client<typeof GameService>;

  constructor(address: URL) {
    this.#client = createClient(GameService, createGrpcTransport({ baseUrl: address.origin, readMaxBytes: 65_536 }));
  }

  async open(session: Session, language: string): Promise<Opening> {
    const { id, player, game, currency, demo } = session;
    session.language = language;
    const began = performance.now();
    const request = {
      sessionId: id,
      playerRef: player.ref,
      gameCode: game,
      currency,
      language,
      country: countryOf(currency as Currency),
      demo,
      lobbyUrl: "https://casino.example/lobby",
    };
    try {
      const { launchUrl } = await this.#client.openGame(request, {
        timeoutMs: OPEN_WITHIN_MS,
        headers: { "User-Agent": `certify-provider/${VERSION}` },
      });
      const fault = launchUrlFault(launchUrl);
      return fault === undefined
        ? { launchUrl, ms: performance.now() - began }
        : { fault: `the launch_url "${launchUrl.slice(0, 200)}", which ${fault}` };
    } catch (cause) {
      return { fault: `the error ${ConnectError.from(cause).message}` };
    }
  }
}

function launchUrlFault(text: string): string | undefined {
  if (text === "") return "is empty";
  if (Buffer.byteLength(text) > LAUNCH_URL_MAX_BYTES) return "is over 8,192 bytes";
  if (/[\s\p{Cc}]/u.test(text)) return "has spaces or control characters";
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? undefined : "is not an absolute http or https address";
}
