import { VitessCluster } from "../../../testbed/cluster/vitess-cluster.ts";
import type { Fault } from "./faults.ts";
import type { Stage } from "./stage.ts";

const PLACES = [0, 1, 2] as const;

const clusterOf = ({ cluster }: Stage): VitessCluster => {
  if (!(cluster instanceof VitessCluster)) throw new Error(`${cluster.name} has no tablets`);
  return cluster;
};

const primaryOf = async (stage: Stage) => {
  const primary = await clusterOf(stage).primary();
  if (primary === undefined) throw new Error("the shard has no primary");
  return primary;
};

/** A fault of the primary's tablet. `end` and `begin` get the node on which it was struck. */
function ofPrimary(
  fault: Pick<Fault, "kind" | "of" | "forMs">,
  end: (stage: Stage, primary: Awaited<ReturnType<typeof primaryOf>>) => Promise<void>,
  begin: (stage: Stage, primary: Awaited<ReturnType<typeof primaryOf>>) => Promise<void>,
): Fault {
  let primary: Awaited<ReturnType<typeof primaryOf>>;
  return {
    ...fault,
    strike: async (stage) => {
      primary = await primaryOf(stage);
      await end(stage, primary);
    },
    heal: async (stage) => {
      await begin(stage, primary);
      await clusterOf(stage).reunite();
      return `the primary was ${primary.name}, and is ${(await primaryOf(stage)).name}`;
    },
  };
}

/** A vttablet without its process cannot be replaced by vtorc, because its MySQL still has replicas. So it starts again. */
const killTablet = ofPrimary(
  { kind: "kill -9 of a vttablet", of: "the primary's", forMs: 2_000 },
  (stage, { tablet }) => clusterOf(stage).vitess.kill(tablet.program),
  async (_, { tablet }) => tablet.startTablet(),
);

/** vtorc makes another tablet the primary. */
const killServer = ofPrimary(
  { kind: "kill -9 of a mysqld", of: "the primary's, while its vttablet runs", forMs: 1_000 },
  async (stage, primary) => {
    await primary.tablet.server.kill();
    await clusterOf(stage).untilPutOut(primary);
  },
  (_, { tablet }) => tablet.server.restart(),
);

const pauseTablet = ofPrimary(
  { kind: "SIGSTOP of a vttablet", of: "the primary's", forMs: 6_000 },
  async (stage, { tablet }) => clusterOf(stage).vitess.signal(tablet.program, "SIGSTOP"),
  async (stage, { tablet }) => clusterOf(stage).vitess.signal(tablet.program, "SIGCONT"),
);

const killGate = (place: number): Fault => ({
  kind: "kill -9 of a vtgate",
  of: `of r${place + 1}`,
  forMs: 2_000,
  strike: (stage) => clusterOf(stage).killGate(place),
  heal: async (stage) => {
    await clusterOf(stage).startGate(place);
    return "";
  },
});

/** As before an upgrade of a machine: all work of the old primary ends, then another tablet becomes the primary. */
const plannedReparent = ofPrimary(
  { kind: "planned reparent", of: "under load", forMs: 1_000 },
  (stage) => clusterOf(stage).reparent("PlannedReparentShard"),
  async () => {},
);

/** By hand, while the old primary still works. */
const emergencyReparent = ofPrimary(
  { kind: "emergency reparent", of: "by hand, while the old primary works", forMs: 1_000 },
  (stage) => clusterOf(stage).reparent("EmergencyReparentShard"),
  async () => {},
);

/** Vitess copies the table in the background, and exchanges the copy for the table. */
const schemaChange: Fault = {
  kind: "schema change by Vitess",
  of: "a column of tx, added",
  forMs: 0,
  strike: (stage) => clusterOf(stage).changeSchema("ALTER TABLE tx ADD COLUMN vitess_note VARCHAR(64)"),
  heal: async (stage) => {
    await stage.installation.database.knex.raw("ALTER TABLE tx DROP COLUMN vitess_note");
    return "";
  },
};

/** What only Vitess has. */
export const VITESS_FAULTS: readonly Fault[] = [
  killTablet,
  killServer,
  pauseTablet,
  ...PLACES.map(killGate),
  plannedReparent,
  emergencyReparent,
  schemaChange,
];
