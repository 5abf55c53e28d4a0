import { addColumn, addIndex, key, nullable } from "../../../src/adapters/sql/schema/table.ts";
import type { ClusterNode } from "../../../testbed/cluster/cluster.ts";
import { abandoned } from "../abandoned.ts";
import { DATABASE, type Stage } from "./stage.ts";

/** A fault of the cluster while all players play. */
export interface Fault {
  readonly kind: string;
  /** The target or variant of the fault, for example `n2`. */
  readonly of: string;
  /** Resolves when the fault is in effect. */
  strike(stage: Stage): Promise<void>;
  /** The duration of the fault after that. */
  readonly forMs: number;
  /** Resolves when the nodes are one group again and every replica runs. Returns a text for the report. */
  heal(stage: Stage): Promise<string>;
  /** Faults that the judge doesn't find. */
  wrong?(stage: Stage): Promise<readonly string[]>;
}

const PLACES = [0, 1, 2] as const;
const node = (stage: Stage, i: number): ClusterNode => stage.cluster.nodes[i] as ClusterNode;

const kill = (i: number): Fault => ({
  kind: "kill -9 of a node",
  of: `n${i + 1}`,
  forMs: 2_000,
  strike: async (stage) => {
    await node(stage, i).kill();
    await stage.cluster.untilPutOut(node(stage, i));
  },
  heal: async (stage) => {
    await stage.cluster.rejoin(node(stage, i));
    return "";
  },
});

const isolate = (i: number): Fault => ({
  kind: "a node isolated",
  of: `n${i + 1}`,
  forMs: 6_000,
  strike: async (stage) => {
    await node(stage, i).isolate();
    await stage.cluster.untilPutOut(node(stage, i));
  },
  heal: async (stage) => {
    await node(stage, i).heal();
    await stage.cluster.reunite(node(stage, i));
    return "";
  },
});

/**
 * A pause of a node that is so long that the other nodes exclude it. After the pause the node still acts as a member.
 */
const pause = (i: number): Fault => ({
  kind: "SIGSTOP of a node",
  of: `n${i + 1}`,
  forMs: 4_000,
  strike: async (stage) => {
    node(stage, i).pause();
    await stage.cluster.untilPutOut(node(stage, i));
  },
  heal: async (stage) => {
    node(stage, i).resume();
    await stage.cluster.reunite(node(stage, i));
    return "";
  },
});

/** A pause that is too short for an exclusion: the other nodes wait for this node. */
const stall = (i: number): Fault => ({
  kind: "SIGSTOP of a node for 1 s",
  of: `n${i + 1}`,
  forMs: 1_000,
  strike: async (stage) => node(stage, i).pause(),
  heal: async (stage) => {
    node(stage, i).resume();
    await stage.cluster.reunite(node(stage, i));
    return "";
  },
});

const killReplica = (i: number): Fault => ({
  kind: "kill -9 of a replica",
  of: `r${i + 1}`,
  forMs: 1_000,
  strike: async (stage) => stage.replicas[i]?.kill(),
  heal: async (stage) => {
    await stage.startReplica(i);
    return "";
  },
});

/**
 * The migration of a newer release, while this release runs. Each change is a statement of its own, as in every
 * migration: while MySQL makes several changes at once, it may take a repeated transaction for a duplicate, and fail.
 */
const migration: Fault = {
  kind: "DDL under load",
  of: "a column and an index on tx, added and dropped",
  forMs: 2_000,
  strike: async ({ installation: { database } }) => {
    const { knex, dialect } = database;
    await addColumn(knex, dialect, "tx", "note", nullable(key(64)));
    await addIndex(knex, dialect, "tx", "note", ["merchant_id", "note"]);
    await knex.raw("INSERT INTO schema_migrations (name, batch) VALUES ('999-later', 99)");
  },
  heal: async (stage) => {
    const { knex } = stage.installation.database;
    const ready = await stage.ready();
    await knex.raw("ALTER TABLE tx DROP INDEX tx_note");
    await knex.raw("ALTER TABLE tx DROP COLUMN note");
    await knex.raw("DELETE FROM schema_migrations WHERE name = '999-later'");
    if (ready.includes(false)) throw new Error("a replica isn't ready because a newer release has migrated");
    return "";
  },
};

const killAllNodes: Fault = {
  kind: "kill -9 of all nodes",
  of: "at once",
  forMs: 1_000,
  strike: async (stage) => void (await Promise.all(stage.cluster.nodes.map((one) => one.kill()))),
  heal: async (stage) => `begun anew with ${await stage.cluster.startAgain()}`,
};

const killEverything: Fault = {
  kind: "kill -9 of all nodes and replicas",
  of: "at once",
  forMs: 500,
  strike: async (stage) =>
    void (await Promise.all([...stage.replicas, ...stage.cluster.nodes].map((one) => one.kill()))),
  heal: async (stage) => {
    const first = await stage.cluster.startAgain();
    for (const i of PLACES) await stage.startReplica(i);
    return `begun anew with ${first}`;
  },
};

/** The lease in stage.ts. */
const LEASE_MS = 3_000;
/** Each process that is lost uses the next node. */
const lost = abandoned(LEASE_MS).map(({ kind, of, begin }, i): Fault => {
  let fault = begin();
  return {
    kind,
    of,
    forMs: fault.lastsMs,
    strike: async (stage) => {
      fault = begin();
      stage.deaths.push(...(await fault.strike(stage.installation, stage.cluster.url(i % PLACES.length, DATABASE))));
    },
    heal: async ({ installation }) => {
      if ((await fault.heal(installation)) === 0) throw new Error(`${kind} ${of} never happened`);
      return "";
    },
    wrong: ({ installation }) => fault.wrong(installation),
  };
});

/** One round of all faults, with each node in turn. */
export const FAULTS: readonly Fault[] = [
  ...PLACES.map(kill),
  ...PLACES.map(isolate),
  ...PLACES.map(pause),
  ...PLACES.map(stall),
  ...PLACES.map(killReplica),
  ...lost,
  migration,
  killAllNodes,
  killEverything,
];
