/** vtgate, vttablet and a topology in one process, before a MySQL: `CREATE DATABASE` makes a keyspace without shards. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { within } from "../cluster/cluster.ts";
import { RootConnection } from "../database/root-connection.ts";
import { freePorts } from "../programs/ports.ts";
import { AS_NOBODY, forEachUser, optionsOf, vitessProgram } from "./programs.ts";

/** What clients use instead of a server. */
export interface Front {
  readonly socket: string;
  /** The name at the server of a database that clients know as `database`. */
  stored(database: string): string;
  stop(): void;
}

/** The first keyspaces. One has two shards, for the test that it is refused. */
const TOPOLOGY = [
  'keyspaces:{name:"first" shards:{name:"0"} replica_count:1 rdonly_count:0}',
  'keyspaces:{name:"several" shards:{name:"-80"} shards:{name:"80-"} replica_count:1 rdonly_count:0}',
  'cells:"z"',
].join(" ");
const STARTED_WITHIN_MS = 60_000;

/**
 * Starts it before the MySQL that listens on `socket`. `folder`: for its files. `more`: further options.
 *
 * @returns the path of the socket on which it speaks MySQL's protocol. It ends with this process, or by `stop`.
 */
export async function startCombo(socket: string, folder: string, more: readonly string[] = []): Promise<Front> {
  const root = join(folder, "vitess");
  mkdirSync(root, { recursive: true });
  const gate = join(root, "s");
  const log = join(root, "log");
  const users = forEachUser((user) => [`--db-${user}-user`, "root"]);
  const [port, grpcPort] = await freePorts(2);
  const [program = "", ...words] = [
    ...[...AS_NOBODY, vitessProgram("vtcombo"), ...users],
    ...optionsOf("vttablet", [
      "--db-charset",
      "--enable-consolidator=false",
      "--queryserver-config-max-result-size",
      "--queryserver-config-terse-errors",
    ]),
    ...optionsOf("vtgate", ["--mysql-auth-server-impl", "--transaction-mode"]),
    ...["--db-socket", socket, "--mycnf-server-id", "1", "--mycnf-socket-file", socket],
    ...["--proto-topo", TOPOLOGY],
    ...["--dbddl-plugin", "vttest", "--tablet-types-to-wait", "PRIMARY", "--tablet-refresh-interval", "500ms"],
    ...["--port", `${port}`, "--grpc-port", `${grpcPort}`, "--service-map", "grpc-vtgateservice", "--bind-address"],
    ...["127.0.0.1", "--tablet-hostname", "127.0.0.1", "--mysql-server-socket-path", gate, ...more],
  ];
  const output = openSync(log, "a");
  const combo = spawn(program, words, {
    stdio: ["ignore", output, output],
    env: { ...process.env, VTDATAROOT: root, TMPDIR: root },
  });
  closeSync(output);
  const connection = new RootConnection({ socketPath: gate });
  await within(STARTED_WITHIN_MS, "vtcombo does not answer", () =>
    connection.ask("SHOW DATABASES").then(
      () => true,
      () => {
        if (combo.exitCode !== null) throw new Error(`vtcombo ended:\n${readFileSync(log, "utf8").slice(-3_000)}`);
        return false;
      },
    ),
  ).finally(() => connection.close());
  return { socket: gate, stored: (database) => `vt_${database}_0`, stop: () => combo.kill("SIGKILL") };
}
