import { subscribe } from "node:diagnostics_channel";
import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from "node:http2";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type ChannelOptions, Client, connectivityState, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { SOURCE_DEADLINE_MS } from "../../domain/catalog/provider.ts";
import { USER_AGENT } from "../../domain/values/product.ts";
import { Device, GameService, type OpenGameResponse } from "../../gen/aggregator/provider/v1/game_service_pb.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Source } from "../../ports/settings-store.ts";
import { GameLauncher, OpenFailed, type OpenFault, type OpenGame } from "../../ports/sources/game-launcher.ts";
import { limitPieces } from "../http/pieces.ts";
import { dnsResolve, type Resolve, systemLookup } from "../names/host-addresses.ts";
import { ALLOW_PRIVATE, GUARDED, RESOLVE } from "./guarded-names.ts";

const { openGame } = GameService.method;
const PATH = `/${GameService.typeName}/${openGame.name}`;

// grpc-js keeps each DATA frame of an incomplete message, and gives no access to its streams.
subscribe("http2.client.stream.created", (message) => {
  const { stream, headers } = message as { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders };
  if (headers[":path"] === PATH) limitPieces(stream, () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM));
});

const LAUNCH_URL_MAX_BYTES = 8_192;
/** A client that has opened no game for this time is closed, because its source was removed or is not used. */
const UNUSED_MS = 600_000;
/**
 * How long a launch waits until an unreachable source is connected again. This is longer than a back-off and a
 * connection together.
 */
const RECONNECT_MS = 500;

const OPTIONS = {
  "grpc.max_receive_message_length": 64 * 1024,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // A launch must not fail because grpc-js still waits before its next connection attempt (back-off), and nothing can
  // end this wait early. So the wait is short. Only one attempt runs at a time, however many launches there are.
  // Without launches there are no attempts.
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 200,
  "grpc.client_idle_timeout_ms": UNUSED_MS,
  "grpc.enable_channelz": 0,
  // Otherwise grpc-js would read http_proxy and its relatives. A proxy resolves the name itself, so the check of the
  // addresses would have no effect.
  "grpc.enable_http_proxy": 0,
  // A service config in DNS belongs to the provider, who could make every call repeat.
  "grpc.service_config_disable_resolution": 1,
  "grpc.primary_user_agent": USER_AGENT,
};

/** Certificates are verified even if NODE_TLS_REJECT_UNAUTHORIZED is set. */
const VERIFIED = { rejectUnauthorized: true };

/** Opens games by the providers' GameService. It has one gRPC client for each source address. */
export class GrpcGameLauncher extends GameLauncher {
  readonly #clock: Clock;
  readonly #options: ChannelOptions;
  /** The clients by source address. The client that was not used for the longest time comes first. */
  readonly #clients = new Map<string, { client: Client; usedAt: number }>();

  /**
   * @param allowPrivate - whether sources may have private addresses, loopback addresses included.
   * @param resolve - resolves names instead of the system's DNS.
   */
  constructor(clock: Clock, { allowPrivate, resolve }: { readonly allowPrivate: boolean; readonly resolve?: Resolve }) {
    super();
    this.#clock = clock;
    this.#options = {
      ...OPTIONS,
      [ALLOW_PRIVATE]: allowPrivate,
      [RESOLVE]: resolve ?? dnsResolve([], allowPrivate ? systemLookup : null, SOURCE_DEADLINE_MS),
    };
  }

  override async open(source: Source, game: OpenGame, deadlineMs: number): Promise<string> {
    const deadline = Date.now() + deadlineMs;
    const client = this.#client(source.address);
    await reconnected(client, deadline);
    const { launchUrl } = await call(client, game, deadline);
    if (!isLaunchUrl(launchUrl))
      throw new OpenFailed("unusable", `${source.address} answered OpenGame without a usable launch_url`);
    return launchUrl;
  }

  /** Closes every client. Running calls fail. */
  close(): void {
    for (const { client } of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  #client(address: string): Client {
    const now = this.#clock.monotonic();
    for (const [other, { client, usedAt }] of this.#clients) {
      if (now - usedAt < UNUSED_MS) break;
      client.close();
      this.#clients.delete(other);
    }
    const client = this.#clients.get(address)?.client ?? connect(address, this.#options);
    this.#clients.delete(address);
    this.#clients.set(address, { client, usedAt: now });
    return client;
  }
}

/**
 * Connects with TLS and the system's certificate authorities for `https://`, and without TLS for `http://`. Throws for
 * any other address.
 */
function connect(address: string, options: ChannelOptions): Client {
  const { protocol, hostname, port } = new URL(address);
  if (protocol === "https:")
    return new Client(
      `${GUARDED}${hostname}:${port || 443}`,
      credentials.createSsl(null, null, null, VERIFIED),
      options,
    );
  if (protocol === "http:")
    return new Client(`${GUARDED}${hostname}:${port || 80}`, credentials.createInsecure(), options);
  throw new Error(`${address} is not the address of a source: it must begin with https:// or http://`);
}

/**
 * Waits until a failed connection works again, or until the time for one more attempt is over. After that a call fails
 * at once with the reason.
 */
function reconnected(client: Client, deadline: number): Promise<void> | undefined {
  if (client.getChannel().getConnectivityState(false) !== connectivityState.TRANSIENT_FAILURE) return undefined;
  return new Promise((resolve) => client.waitForReady(Math.min(deadline, Date.now() + RECONNECT_MS), () => resolve()));
}

function call(client: Client, game: OpenGame, deadline: number): Promise<OpenGameResponse> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      PATH,
      (message) => Buffer.from(toBinary(openGame.input, message)),
      (bytes) => fromBinary(openGame.output, bytes),
      create(openGame.input, requestOf(game)),
      { deadline },
      (error: ServiceError | null, response?: OpenGameResponse) => {
        if (response === undefined) reject(failed(error, game));
        else resolve(response);
      },
    );
  });
}

const DEVICE = { desktop: Device.DESKTOP, mobile: Device.MOBILE } as const;

const requestOf = ({
  jurisdiction,
  lobbyUrl,
  playerIp,
  device,
  depositUrl,
  historyUrl,
  displayName,
  ...game
}: OpenGame) => ({
  ...game,
  jurisdiction: jurisdiction ?? "",
  lobbyUrl: lobbyUrl ?? "",
  playerIp: playerIp ?? "",
  device: device == null ? Device.UNSPECIFIED : DEVICE[device],
  depositUrl: depositUrl ?? "",
  historyUrl: historyUrl ?? "",
  displayName: displayName ?? "",
});

const FAULTS: Readonly<Partial<Record<number, OpenFault>>> = {
  [status.UNAVAILABLE]: "unreachable",
  [status.DEADLINE_EXCEEDED]: "timeout",
};

/** The source's own text may repeat the session's id or what tells who the player is. It must not be stored or logged. */
function failed(error: ServiceError | null, { sessionId, playerRef, playerIp, displayName }: OpenGame) {
  // grpc-js adds the note, also if it has nothing to note.
  const text = (error?.message ?? "no response").replace(/ Resolution note: *$/, "");
  const message = [sessionId, playerRef, playerIp, displayName].reduce<string>(
    (masked, secret) => (secret ? masked.replaceAll(secret, "***") : masked),
    text,
  );
  return new OpenFailed(FAULTS[error?.code ?? -1] ?? "refused", message);
}

const isLaunchUrl = (text: string): boolean =>
  text.length <= LAUNCH_URL_MAX_BYTES &&
  /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) &&
  Buffer.byteLength(text) <= LAUNCH_URL_MAX_BYTES &&
  URL.canParse(text);
