/**
 * Three faults of the database, each once, against the real service; `npm run faults -- database` makes all of them.
 */
import test from "ava";
import { mysqlTransactionStatements } from "../../src/adapters/sql/dialects/mysql/transaction-statements.ts";
import { type DatabaseServer, startDatabaseServer } from "../../testbed/database/server.ts";
import { lost, TEXT } from "./database/line-faults.ts";
import { killed } from "./database/server-faults.ts";
import { Stage } from "./database/stage.ts";
import { type Fault, strike } from "./database/strike.ts";

const PLAY_MS = 300;
const ONCE = { lasts: 0, count: 1 } as const;

let server: DatabaseServer;
let stage: Stage | undefined;
test.before(async () => {
  server = await startDatabaseServer();
  stage = await Stage.open(server, 1, 1);
});
test.after.always(async () => {
  await stage?.close();
  await server?.stop();
});

const held = (title: string, fault: Fault): void =>
  test.serial(title, async (t) => {
    if (stage === undefined) return t.fail();
    const { violations, fired, acknowledged } = await strike(stage, fault, PLAY_MS);
    t.deepEqual(violations, []);
    t.true(fired >= 1);
    t.true(acknowledged > 0);
  });

held(
  "if the reply to a claim is lost, the service recognises the new rows as its own, and sends nothing twice",
  lost("claim", { loses: "reply", how: "reset" }, ONCE),
);
held(
  "if the reply to a settle is lost, nothing is settled twice",
  lost("settle", { loses: "reply", how: "close" }, ONCE),
);
held("if the database is killed under load, nothing that was acknowledged is lost", killed());

test("the faults know the service's statements by a text that they have", (t) => {
  const { claim, settle, takeOver } = mysqlTransactionStatements;
  t.true(claim([]).sql.startsWith(TEXT.claim));
  t.true(settle([]).sql.startsWith(TEXT.settle));
  t.true(takeOver([]).sql.includes(TEXT["take-over"]));
});
