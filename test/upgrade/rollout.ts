import { setTimeout as sleep } from "node:timers/promises";
import { ADMIN_KEY } from "../../testbed/callers/administration.ts";
import { judge } from "../../testbed/judge/judge.ts";
import { settled } from "../../testbed/judge/stored-rows.ts";
import type { Balancer } from "../../testbed/programs/balancer.ts";
import { type Release, type Replica, THIS_RELEASE } from "../../testbed/service/replica.ts";
import { Installation, type Player } from "../../testbed/stage/installation.ts";
import { SOME_FAULTS } from "../../testbed/wallet/behaviour.ts";
import { Calls, type Phase } from "./calls.ts";
import type { Place } from "./places.ts";
import type { Plant } from "./plants.ts";
import { migrateWith } from "./release.ts";
import { type Games, launch, setUp } from "./set-up.ts";

/** Longer times than other tests have, because many processes share the machine. */
const ENV = {
  WALLET_TIMEOUT_MS: "1500",
  LEASE_MARGIN_MS: "1500",
  DRAIN_DELAY_MS: "5000",
  TRUSTED_PROXIES: "127.0.0.1",
};
const SETTLED_WITHIN_MS = 60_000;
const READY_WITHIN_MS = 60_000;
/** Within this time the balancer's checks notice that a replica is ready. */
const SEEN_MS = 3_000;

export interface Upgraded {
  readonly phases: readonly Phase[];
  /** The steps of the schema that the migration made. */
  readonly migrated: string;
  /** What went wrong, in words. */
  readonly wrong: readonly string[];
}

interface UpgradeOptions {
  readonly games: Games;
  readonly seed: number;
  /** The time of play after each change. */
  readonly playMs: number;
  /** A fault that the present release then has. The judge then does not look at the rows. */
  readonly plant?: Plant;
}

/**
 * Three replicas of the last release behind a balancer, under load. The schema is migrated, and two replicas are
 * replaced. Then these two are stopped, so that only the third replica, of the last release, serves. At the end all
 * three replicas are of this release.
 */
export async function upgrade(
  place: Place,
  balancer: Balancer,
  last: Release,
  { games, seed, playMs, plant = {} }: UpgradeOptions,
): Promise<Upgraded> {
  const [url = ""] = place.urls;
  const installation = await Installation.open({
    databaseUrl: url,
    env: { ...ENV, ADMIN_KEY },
    migrate: (_, own) => migrateWith(last, own),
    setUp: (deployment, walletUrl) => setUp(deployment, walletUrl, last, games),
  });
  const wrong: string[] = [];
  const replicas: Replica[] = [];
  const start = async (i: number, release: Release): Promise<void> => {
    const env = { DATABASE_URL: place.urls[i] ?? "", ...balancer.portsOf(i) };
    replicas[i] = await installation.startReplica(env, release);
    for (const end = Date.now() + READY_WITHIN_MS; !(await replicas[i].isReady()); await sleep(50))
      if (Date.now() > end) throw new Error(`replica ${i + 1} was not ready within ${READY_WITHIN_MS / 1_000} s`);
    await sleep(SEEN_MS);
  };
  const drain = async (i: number): Promise<void> => {
    const replica = replicas[i] as Replica;
    await (plant.stop === undefined ? replica.drain() : plant.stop(replica));
  };
  /** As docs/deployment.md says: sends SIGTERM, waits for the end, starts the new replica and waits until it is ready. */
  const replace = async (i: number, release: Release): Promise<void> => {
    await drain(i);
    await start(i, release);
  };
  const calls = new Calls(installation, balancer.ports, seed);
  let migrated = "";
  const everywhere = async (): Promise<void> => {
    wrong.push(...(await sessionsEverywhere(installation, replicas, games)));
  };
  const changes: readonly [title: string, change: () => Promise<void>][] = [
    ["three replicas of the last release", async () => calls.start()],
    [
      "the schema is migrated",
      async () => {
        migrated = await migrateWith(THIS_RELEASE, url);
        await plant.migrate?.(installation.database);
      },
    ],
    [
      "two replicas are replaced",
      async () => {
        for (const i of [0, 1]) await replace(i, THIS_RELEASE);
        await everywhere();
        wrong.push(...(await startsOnNewerSchema(installation, last, url, !migrated.endsWith("up to date."))));
      },
    ],
    [
      "back: only the replica of the last release is left",
      async () => {
        await Promise.all([0, 1].map(drain));
      },
    ],
    [
      "forward again: all three are replaced",
      async () => {
        for (const i of [0, 1]) await start(i, THIS_RELEASE);
        await everywhere();
        await replace(2, THIS_RELEASE);
        await everywhere();
      },
    ],
  ];
  try {
    await place.grow();
    await installation.wallet.rates(SOME_FAULTS, seed);
    for (const i of place.urls.keys()) await start(i, last);
    await balancer.start();
    for (const [title, change] of changes.slice(0, plant.phases)) {
      calls.begin(title);
      await change();
      await sleep(playMs);
    }
    const phases = await calls.stop();
    if (phases.length < changes.length) return { phases, migrated, wrong };
    await settled(installation.database, SETTLED_WITHIN_MS);
    const origin = replicas[0]?.origin ?? null;
    const violations = await judge(installation, { healed: true, standstills: [], bugs: [] }, origin);
    wrong.push(...violations.map(({ invariant, key, what }) => `${invariant} ${key}: ${what}`));
    wrong.push(...(await place.differences()).map((table) => `the nodes differ in the table ${table}`));
    return { phases, migrated, wrong };
  } finally {
    await balancer.stop();
    await installation.close();
  }
}

/** A process of the last release must start on a schema that is its own, and refuse a newer one. */
async function startsOnNewerSchema(
  installation: Installation,
  last: Release,
  url: string,
  isNewer: boolean,
): Promise<string[]> {
  const outcome = await installation.startReplica({ DATABASE_URL: url }, last).then(
    (started) => started.stop().then(() => "started"),
    (cause: Error) => cause.message,
  );
  return outcome.includes("newer") === isNewer ? [] : [`on this schema, the last release: ${outcome}`];
}

/** A session that a replica of either release launches can be played at every replica. Returns the failures. */
async function sessionsEverywhere(
  installation: Installation,
  replicas: readonly Replica[],
  games: Games,
): Promise<string[]> {
  const wrong: string[] = [];
  const player = installation.players[0] as Player;
  for (const [from, launcher] of replicas.entries()) {
    const sessionId = await launch(launcher, player.merchant, player.playerId, games);
    for (const [to, replica] of replicas.entries()) {
      const content = installation.content(player, "bet", `s${sessionId.slice(0, 8)}-${to}`);
      const until = Date.now() + 10_000;
      const outcome = await installation.provider.repeatUntilFinal(
        content,
        sessionId,
        () => replica,
        () => Date.now() > until,
      );
      if (outcome.kind !== "ok")
        wrong.push(`a session of replica ${from + 1} at replica ${to + 1}: ${JSON.stringify(outcome)}`);
    }
  }
  return wrong;
}
