/**
 * Two simulated upstreams, Hub88 and Evolution. Each speaks its own API with a real connector: it answers launches, and
 * its games call the connector for every movement of money. The games themselves are the provider's.
 */
import type { Opened } from "../provider/game-session.ts";
import type { Misbehaviour } from "../provider/misbehave.ts";
import type { Cashier } from "../provider/wallet-client.ts";
import type { Surroundings } from "./cashier.ts";
import { EvolutionCashier } from "./evolution.ts";
import games from "./games.json" with { type: "json" };
import { Hub88Cashier } from "./hub88.ts";
import { Tap } from "./tap.ts";
import { evolutionWire } from "./wire/evolution.ts";
import { startFakeServer } from "./wire/fake-server.ts";
import { type HubLaunch, hubWire } from "./wire/hub88.ts";

export interface UpstreamOptions {
  /** The service's gRPC listener, host:port. */
  readonly serviceGrpc: string;
  /** The addresses of the connectors' wallet APIs. */
  readonly connectors: Readonly<Record<ConnectorName, string>>;
  /** Opens a game at the provider, and returns the address of its page. */
  readonly open: (opened: Opened, cashier: Cashier, mistakes: readonly Misbehaviour[]) => string;
  readonly callbacks: Surroundings["callbacks"];
}

export type ConnectorName = "hub88" | "evolution";

export interface RunningUpstreams {
  /** What each connector needs to know of its upstream and of the service: its settings, without keys of its own. */
  readonly settings: Readonly<Record<ConnectorName, Readonly<Record<string, string>>>>;
  close(): void;
}

const HUB88_MISTAKES: readonly Misbehaviour[] = ["repeat", "lose_reply", "refund", "rollback", "mismatch"];
/** Evolution has no call that takes a win back. */
const EVOLUTION_MISTAKES: readonly Misbehaviour[] = ["repeat", "lose_reply", "refund", "mismatch"];

export async function startUpstreams(options: UpstreamOptions): Promise<RunningUpstreams> {
  const { connectors, open } = options;
  const tap = new Tap(options.serviceGrpc);
  const around = { tap, callbacks: options.callbacks };
  const hub = hubWire("hub88");
  const hub88 = await startFakeServer((call) => {
    const launch = hub.read<HubLaunch>(call);
    const game = games.find(({ code }) => code === launch?.game_code);
    if (launch === undefined || game === undefined) return '{"error":"the launch is wrong"}';
    const { token, currency, lang, lobby_url = "" } = launch;
    const opened = { ...opening(game), sessionId: token, currency, language: lang, lobbyUrl: lobby_url };
    return JSON.stringify({
      url: open(opened, new Hub88Cashier(hub, launch, connectors.hub88, around), HUB88_MISTAKES),
    });
  });
  const evolution = await startFakeServer((call) => {
    const launch = evolutionWire.read(call);
    const game = games.find(({ code }) => code === launch?.config.game.table.id);
    if (launch === undefined || game === undefined)
      return '{"errors":[{"code":"G.3","message":"the launch is wrong"}]}';
    const { session, currency, language } = launch.player;
    const opened = {
      ...opening(game),
      sessionId: session.id,
      currency,
      language,
      lobbyUrl: launch.config.urls?.lobby ?? "",
    };
    const entry = open(opened, new EvolutionCashier(launch, connectors.evolution, around), EVOLUTION_MISTAKES);
    return JSON.stringify({ entry, entryEmbedded: entry });
  });
  const AGGREGATOR_URL = await tap.listen();
  return {
    settings: {
      hub88: { AGGREGATOR_URL, ...hub.variables(hub88.url) },
      evolution: { AGGREGATOR_URL, ...evolutionWire.variables(evolution.url) },
    },
    close() {
      tap.close();
      hub88.close();
      evolution.close();
    },
  };
}

const opening = ({ code, name, type }: (typeof games)[number]) => ({ game: code, name, type, demo: false });
