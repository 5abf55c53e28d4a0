/** Errors of real clusters: what an error tells must agree with the rows that are there when the cluster is whole. */
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { serverFault } from "../../../../src/adapters/sql/connection/server-watch.ts";
import { type ClusterNode, within } from "../../../../testbed/cluster/cluster.ts";
import { startCuttingProxy } from "../../../../testbed/database/cutting-proxy.ts";
import { SmallDisk } from "../../../../testbed/database/small-disk.ts";
import { DATABASE, Stage } from "../../../faults/cluster/stage.ts";
import { sleep } from "../stores.ts";
import { CLUSTERS, type Fault, type Kind } from "./kinds.ts";
import { freshIds, insert, insertTwo, outcomeOf, TABLE, Writers, writtenIds } from "./writers.ts";

const SIZES = { max: 6, recurringMax: 1, decisiveMax: 1, selectingMax: 1 };
const TEST_LIMIT_MS = 240_000;
const NOTICED_WITHIN_MS = 30_000;
/** A fault that callers do not notice ends after this time. */
const FAILED_WITHIN_MS = 15_000;
/** The duration of a fault after the first error. */
const LASTS_MS = 2_000;
const SERVED_WITHIN_MS = 60_000;
/** Enough for a second copy of all data, which replaces the first. */
const ROOM_MB = 600;

/** The cluster that runs, with the service on each node. The next kind begins when this one has ended. */
let running: { readonly kind: Kind; readonly stage: Promise<Stage> } | undefined;
function stageOf(kind: Kind): Promise<Stage> {
  if (running?.kind === kind) return running.stage;
  const before = running;
  const open = async (): Promise<Stage> => {
    await (await before?.stage)?.close();
    const stage = await Stage.set(await kind.begin(), 1);
    await stage.installation.database.knex.raw(TABLE);
    return stage;
  };
  running = { kind, stage: open() };
  return running.stage;
}
test.after.always(async () => (await running?.stage)?.close());

/** Only root may make the networks of the nodes, and mount a disk. */
const onRoot = process.getuid?.() === 0 ? test.serial : test.serial.skip;

function open(t: ExecutionContext, url: string): Database {
  const database = openDatabase(url, SIZES);
  t.teardown(() => database.close());
  return database;
}

const urlOf = ({ cluster }: Stage): string => cluster.url(0, DATABASE);

/** The warnings of `/health/ready` at each replica. */
const warningsOf = ({ replicas }: Stage): Promise<readonly unknown[]> =>
  Promise.all(
    replicas.map(async ({ origin }) => {
      const { warnings } = (await (await fetch(`${origin}/health/ready`)).json()) as { warnings?: unknown };
      return warnings;
    }),
  );

/** Compares outcomes with rows, and the nodes with each other. */
async function judge(t: ExecutionContext, stage: Stage, database: Database, writers: Writers): Promise<void> {
  await writers.stop();
  await stage.untilReady();
  await stage.cluster.untilApplied(DATABASE);
  t.log(writers.summary);
  t.deepEqual(writers.contradictions(await writtenIds(database)), []);
  t.deepEqual(await stage.differences(), []);
  t.deepEqual(await stage.falseAlarms(), []);
}

async function struck(t: ExecutionContext, stage: Stage, { strike, heal }: Omit<Fault, "title">): Promise<void> {
  const { cluster } = stage;
  const node = await cluster.writer();
  const database = open(t, urlOf(stage));
  const writers = new Writers(database);
  try {
    await writers.succeed(20);
    const before = writers.failures;
    await strike(cluster, node);
    const until = performance.now() + FAILED_WITHIN_MS;
    while (writers.failures === before && performance.now() < until) await sleep(50);
    await sleep(LASTS_MS);
    await heal(cluster, node);
    await writers.succeed(20);
  } finally {
    await writers.stop();
  }
  await judge(t, stage, database, writers);
}

/** Resolves when a statement succeeds. */
const untilServed = ({ knex, dialect }: Database): Promise<void> =>
  within(SERVED_WITHIN_MS, "no statement succeeds", () =>
    byDriver(knex, dialect, { sql: "SELECT id FROM written LIMIT 1", bindings: [] }).then(
      () => true,
      () => false,
    ),
  );

/** Whether the COMMIT of a statement with this text waits for the other nodes within a second. */
async function isCommitting({ committing }: Kind, node: ClusterNode, text: string): Promise<boolean> {
  for (const until = performance.now() + 1_000; performance.now() < until; await sleep(10)) {
    const found = await node.ask(
      `SELECT state AS state FROM information_schema.processlist WHERE info LIKE '%${text}%' AND info NOT LIKE '%processlist%'`,
    );
    if (found.some(({ state }) => committing.test(String(state)))) return true;
  }
  return false;
}

for (const kind of CLUSTERS) {
  onRoot(`${kind.name}: with the documented settings there is no warning`, async (t) => {
    t.timeout(TEST_LIMIT_MS);
    const stage = await stageOf(kind);
    t.deepEqual(await warningsOf(stage), [undefined, undefined, undefined]);
    const { cluster } = stage;
    for (const place of cluster.nodes.keys()) t.is(await serverFault(open(t, cluster.url(place, DATABASE))), undefined);
    for (const node of cluster.nodes) {
      await cluster.promote(node);
      t.is(await serverFault(open(t, urlOf(stage))), undefined, node.name);
    }
    await stage.untilReady();
    t.deepEqual(await stage.falseAlarms(), []);
  });

  onRoot(`${kind.name}: after a COMMIT whose reply is lost, the outcome is open, and the rows are there`, async (t) => {
    const stage = await stageOf(kind);
    const url = urlOf(stage);
    const proxy = await startCuttingProxy(url);
    t.teardown(() => proxy.close());
    const there: number[] = [];
    const all: number[] = [];
    for (const loses of ["reply", "request"] as const) {
      const client = open(t, proxy.through(url));
      const ids = freshIds();
      all.push(...ids);
      if (loses === "reply") there.push(...ids);
      proxy.cut("COMMIT;", 1, { loses });
      t.is(await outcomeOf(client, insertTwo(client, ids)), "lost", loses);
    }
    t.is(proxy.lost, 2);
    const found = await writtenIds(open(t, url));
    t.deepEqual(
      all.filter((id) => found.has(id)),
      there,
    );
  });

  const ends: readonly (Fault | undefined)[] = [undefined, ...kind.betweens];
  for (const between of ends)
    onRoot(
      `${kind.name}: ${between?.title ?? "the connection ends"} while a COMMIT waits for the other nodes: the outcome is open, and the row is there`,
      async (t) => {
        t.timeout(TEST_LIMIT_MS);
        const stage = await stageOf(kind);
        const { cluster } = stage;
        const proxy = await startCuttingProxy(urlOf(stage));
        t.teardown(() => proxy.close());
        const client = open(t, proxy.through(urlOf(stage)));
        // On a busy machine the others may be excluded before the statement arrives. Then it is tried again.
        for (let struck = false; !struck; ) {
          await untilServed(client);
          const writer = await cluster.writer();
          const others = cluster.nodes.filter((node) => node !== writer);
          const [id] = freshIds();
          const text = `in flight ${id}`;
          for (const node of others) node.pause();
          try {
            const outcome = outcomeOf(client, insert(client, id, text));
            struck = await isCommitting(kind, writer, text);
            if (struck && between !== undefined) await between.strike(cluster, writer);
            else if (struck) proxy.reset();
            else for (const node of others) node.resume();
            const told = await outcome;
            if (struck) t.is(told, "lost");
          } finally {
            for (const node of others) node.resume();
            if (struck) await between?.heal(cluster, writer);
          }
          for (const node of others) await cluster.reunite(node);
          if (!struck) continue;
          const reader = open(t, urlOf(stage));
          await untilServed(reader);
          t.true((await writtenIds(reader)).has(id));
        }
        await stage.untilReady();
      },
    );

  for (const fault of kind.faults)
    onRoot(`${kind.name}: ${fault.title}: every outcome agrees with the rows`, async (t) => {
      t.timeout(TEST_LIMIT_MS);
      await struck(t, await stageOf(kind), fault);
    });

  onRoot(`${kind.name}: the node's disk is full: every outcome agrees with the rows`, async (t) => {
    t.timeout(TEST_LIMIT_MS);
    const stage = await stageOf(kind);
    const { cluster } = stage;
    const node = await cluster.writer();
    await node.kill();
    await cluster.untilPutOut(node);
    const disk = SmallDisk.under(node.data, ROOM_MB);
    await cluster.rejoin(node);
    if (disk === undefined) return t.pass("this user may not mount a file system");
    t.teardown(() => disk.close());
    await cluster.promote(node);
    await struck(t, stage, {
      strike: async () => {
        // A cluster under load may change its mind.
        await cluster.promote(node);
        disk.fill();
      },
      heal: async () => {
        // MySQL ends itself when its binary log does not fit, MariaDB waits. An operator restarts either.
        disk.free();
        await node.kill();
        return cluster.rejoin(node);
      },
    });
  });

  onRoot(`${kind.name}: a wrong setting raises the alert, and the warning ends with it`, async (t) => {
    t.timeout(TEST_LIMIT_MS);
    const stage = await stageOf(kind);
    const { name, wrong, right } = kind.setting;
    const node = await stage.cluster.writer();
    await node.ask(`SET GLOBAL ${name} = ${wrong}`);
    const isTold = async () => JSON.stringify((await warningsOf(stage))[0]) === '["database_unsafe"]';
    await within(NOTICED_WITHIN_MS, "no warning", isTold);
    t.true((await stage.falseAlarms()).every((detail) => detail.includes(name)));
    await node.ask(`SET GLOBAL ${name} = ${right}`);
    await within(NOTICED_WITHIN_MS, "the warning does not end", async () => (await warningsOf(stage))[0] === undefined);
  });
}
