/**
 * `npm run restore-drill [-- --seconds N] [--seed S]`: restores a real MariaDB from a base backup and its binary log, by
 * the steps of docs/deployment.md, while the service is under load.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BinaryLog } from "../../../testbed/database/base-backup.ts";
import { MARIADB } from "../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../testbed/database/server.ts";
import { Stage } from "../database/stage.ts";
import { documented } from "../documented.ts";
import type { Drilled } from "./drill.ts";
import { toAMoment } from "./to-a-moment.ts";
import { toTheEnd } from "./to-the-end.ts";

const SHOWN_MAX = 20;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      /** The time of play before and after each step. */
      seconds: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
    },
  });
  const playMs = 1_000 * Number(values.seconds);
  const ends: (() => void | Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const interrupted = () => void close().then(() => process.exit(130));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    const folder = mkdtempSync(join(tmpdir(), "binlog-"));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const log = new BinaryLog(folder);
    const server = await startDatabaseServer(log.options, undefined, MARIADB);
    ends.push(() => server.stop());
    const stage = await Stage.open(server, Number(values.seed));
    ends.push(() => stage.close());
    await stage.ask("CREATE USER backup@localhost");
    await stage.ask(documented("GRANT RELOAD"));
    const [found] = await stage.ask("SELECT VERSION() AS version");
    console.log(
      `MariaDB ${found?.version}, ${stage.replicas.length} replicas, ${stage.installation.players.length} players\n`,
    );
    const drilled: Drilled[] = [];
    for (const drill of [toTheEnd, toAMoment]) {
      const one = await drill(stage, log, playMs);
      drilled.push(one);
      print(one);
    }
    return drilled.reduce((sum, { violations }) => sum + violations.length, 0);
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

function print({ title, figures, violations }: Drilled): void {
  const width = Math.max(...figures.map(([name]) => name.length));
  const found = violations.map(({ invariant, key, what }) => `- ${invariant} ${key}: ${what}`);
  console.log(
    [
      `${title}:`,
      ...figures.map(([name, text]) => `${name.padEnd(width)}  ${text}`),
      `${violations.length} violations`,
      ...found.slice(0, SHOWN_MAX),
      ...(found.length > SHOWN_MAX ? [`... and ${found.length - SHOWN_MAX} more`] : []),
      "",
    ].join("\n"),
  );
}
