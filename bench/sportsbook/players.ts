/** Many players whose pages show the board, with one process of the sandbox. */

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { startSandbox } from "../../testbed/stage/sandbox.ts";
import { cpuUs, residentBytes } from "../machine/process-usage.ts";
import type { Bench, Section } from "../measurement.ts";
import { figure } from "../report/report.ts";
import { percentile, type Spread, spread } from "../report/statistics.ts";
import { Player } from "./player.ts";

const PLAYERS = 500;
/** The local addresses of the players. The sportsbook accepts at most 250 streams from each address. */
const ADDRESSES = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
const IDLE_S = 20;
const WATCHED_S = 180;
const BYTES_AN_HOUR_MAX = 1_000_000;
const CPU_PERCENT_MAX = 10;
const HOUR_S = 3_600;

export async function measurePlayers(
  bench: Bench,
): Promise<Pick<Section, "tables" | "targets" | "raw" | "violations">> {
  const sandbox = await startSandbox({ SPORTSBOOK_SEED: "7" });
  const players: Player[] = [];
  try {
    const pid = sandbox.sandboxPid();
    const idle = { cpuPercent: await cpuPercent(pid, IDLE_S), bytes: residentBytes(pid).now };
    for (let i = 0; i < PLAYERS; i++)
      players.push(await Player.open(sandbox.sportsbook, ADDRESSES[i % ADDRESSES.length] as string));
    // After this time the whole board has arrived, which a real page gets with its HTML.
    await sleep(2_000);
    const before = players.map(({ bytes }) => bytes);
    const cpu = await cpuPercent(pid, WATCHED_S);
    const memory = residentBytes(pid);
    const hourly = players.map((player, i) => ((player.bytes - (before[i] as number)) * HOUR_S) / WATCHED_S);
    const delays = delaysOf(players);
    const violations = await differences(players);
    bench.log(
      `${PLAYERS} players: ${figure(cpu)} % of a core, ${figure(memory.now / 1e6)} MB; ${figure(spread(hourly).median / 1e3)} kB an hour and player`,
    );
    return {
      tables: [
        {
          title: `${PLAYERS} players on one process`,
          columns: ["", "without players", `${PLAYERS} players`],
          rows: [
            ["CPU, % of a core", figure(idle.cpuPercent), figure(cpu)],
            ["resident memory, MB", figure(idle.bytes / 1e6), figure(memory.now / 1e6)],
            ["changes that each player got", "-", String(delays.length)],
            [
              "from the first player that has a change to the last, ms",
              "-",
              `${figure(percentile(delays, 0.5))}, at most ${figure(Math.max(...delays))}`,
            ],
          ],
        },
      ],
      targets: [
        {
          what: "bytes of the stream, an hour and player",
          measured: spread(hourly),
          bound: { atMost: BYTES_AN_HOUR_MAX },
          unit: "B",
        },
        {
          what: `CPU of the process with ${PLAYERS} players`,
          measured: one(cpu),
          bound: { atMost: CPU_PERCENT_MAX },
          unit: "% of a core",
        },
      ],
      violations,
      raw: { idle, cpu, memory, hourly, delays },
    };
  } finally {
    for (const player of players) player.close();
    await sandbox.close();
  }
}

async function cpuPercent(pid: number, seconds: number): Promise<number> {
  const [cpu, at] = [cpuUs(pid), performance.now()];
  await sleep(seconds * 1_000);
  return (cpuUs(pid) - cpu) / (performance.now() - at) / 10;
}

/**
 * For each change, the time from its arrival at the first player to its arrival at the last. Changes that not all
 * players have yet are left out.
 */
function delaysOf(players: readonly Player[]): number[] {
  const ids = [...(players[0]?.heard.keys() ?? [])].slice(1);
  return ids.flatMap((id) => {
    const times = players.flatMap(({ heard }) => heard.get(id) ?? []);
    return times.length === players.length ? [Math.max(...times) - Math.min(...times)] : [];
  });
}

/** The faults at the end: a lost connection, or a player whose board differs from the first player's board. */
async function differences(players: readonly Player[]): Promise<string[]> {
  const lost = players.filter(({ isOpen }) => !isOpen).length;
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (new Set(players.map(({ lastId }) => lastId)).size === 1) break;
    await sleep(50);
  }
  const different = players.filter(({ board }) => !isDeepStrictEqual(board, players[0]?.board)).length;
  return [
    ...(lost === 0 ? [] : [`${lost} players lost their connection`]),
    ...(different === 0 ? [] : [`${different} players had another board than the first`]),
  ];
}

const one = (value: number): Spread => ({ median: value, min: value, max: value });
