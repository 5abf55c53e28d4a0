/**
 * Fifty hostile connections. This measures the memory and files that the service still has afterwards, and the effect
 * on another merchant.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchMerchant } from "../../testbed/directory/directory.ts";
import { Child } from "../../testbed/programs/child.ts";
import type { ServicePorts } from "../../testbed/service/replica.ts";
import {
  CALLS_PER_SECOND,
  CONNECTIONS_MOST,
  merchantCalls,
  NEW_CONNECTION_EVERY,
  providerCalls,
} from "../hostile/good-callers.ts";
import { ADDRESSES, type Attack, addressOf, type Ended } from "../hostile/orders.ts";
import { type Calls, FILES_MORE, type Found, MEMORY_MORE_MIB, type State, violationsOf } from "../hostile/verdict.ts";
import { TRUSTS_CALLERS } from "../load/rest-caller.ts";
import type { CollectedSample } from "../machine/probe.ts";
import { openHandles, residentBytes } from "../machine/process-usage.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure } from "../report/report.ts";
import { spread } from "../report/statistics.ts";
import type { Program } from "../stage/programs.ts";
import { Stage } from "../stage/stage.ts";

export const hostile: Measurement = { name: "hostile", run };

const MIB = 2 ** 20;
const CONNECTIONS = 50;
const PROVIDER_ADDRESS = "127.0.0.2";
const WARM_UP_MS = 10_000;
/** The maximum time until the service has freed the memory and files that the attackers used. */
const SETTLE_MS = 15_000;
const LOOK_EVERY_MS = 250;

async function run(bench: Bench): Promise<Section> {
  const stage = await Stage.set(bench, "mariadb", (origin) => [
    { merchants: 1, sessionsEach: 1, walletUrl: `${origin}/wallet` },
    { merchants: 1, sessionsEach: 1, walletUrl: `${origin}/wallet`, limited: true },
  ]);
  const attackers = new Child(["bench/hostile/main.ts"], {}, join(stage.folder, "hostile.log"));
  try {
    await attackers.next<{ kind: "ready" }>("ready");
    const service = await stage.service("service", TRUSTS_CALLERS);
    const [merchant, turned] = stage.directory.merchants;
    if (service.ports === null || merchant === undefined || turned === undefined)
      throw new Error("the stage has a service and two merchants");
    // Database connections are open and code is compiled before the first state is read.
    await called(stage, service, merchant, WARM_UP_MS);
    await sleep(SETTLE_MS);
    const before = await stateOf(service);
    bench.log(inWords("before", before));
    const found = await attacked(bench, stage, service, service.ports, attackers, merchant, turned, before);
    bench.log(inWords("after", found.after));
    return section(bench, found);
  } finally {
    await attackers.stop();
    await stage.clear();
  }
}

async function attacked(
  bench: Bench,
  stage: Stage,
  service: Program,
  ports: ServicePorts,
  attackers: Child,
  merchant: BenchMerchant,
  turned: Attack["merchant"],
  before: State,
): Promise<Found> {
  const { seed, attackSeconds, kinds } = bench.options;
  const { code, secret } = turned;
  attackers.send({
    kind: "attack",
    seed,
    connections: CONNECTIONS,
    kinds,
    ports,
    merchant: { code, secret },
  } satisfies Attack);
  let [openFilesMost, residentMostMib] = [0, 0];
  const look = setInterval(() => {
    openFilesMost = Math.max(openFilesMost, openHandles(service.child.pid));
    residentMostMib = Math.max(residentMostMib, residentBytes(service.child.pid).now / MIB);
  }, LOOK_EVERY_MS);
  const calls = await called(stage, service, merchant, attackSeconds * 1_000).finally(() => clearInterval(look));
  const ended = attackers.next<Ended>("ended");
  attackers.send({ kind: "end" });
  const { counts: attack } = await ended;
  await sleep(SETTLE_MS);
  return { before, after: await stateOf(service), openFilesMost, residentMostMib, calls, attack };
}

async function called(
  { directory }: Stage,
  service: Program,
  merchant: BenchMerchant,
  forMs: number,
): Promise<Found["calls"]> {
  const [ofMerchant, ofProvider, ofProviderThere] = await Promise.all([
    merchantCalls(service, merchant, forMs),
    providerCalls(service, directory, PROVIDER_ADDRESS, forMs),
    providerCalls(service, directory, addressOf(1), forMs),
  ]);
  return {
    "another merchant": ofMerchant,
    "a provider": ofProvider,
    "a provider at an attacker's address": ofProviderThere,
  };
}

async function stateOf(service: Program): Promise<State> {
  service.child.assertRuns();
  const collected = service.child.next<CollectedSample>("collected");
  service.child.send({ kind: "collect" });
  const { livingBytes, residentBytes: resident } = await collected;
  return { openFiles: openHandles(service.child.pid), residentMib: resident / MIB, livingMib: livingBytes / MIB };
}

const inWords = (when: string, { openFiles, residentMib, livingMib }: State): string =>
  `${when}: ${openFiles} open files, ${figure(residentMib)} MiB resident, ${figure(livingMib)} MiB living`;

function section(bench: Bench, found: Found): Section {
  const { attackSeconds, seed } = bench.options;
  const { before, after, calls, attack } = found;
  const callsRow = ([who, { answeredMs, failed, again }]: readonly [string, Calls]): string[] => {
    const sorted = [...answeredMs].sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
    return [
      who,
      String(sorted.length),
      String(Object.values(failed).reduce((sum, n) => sum + n, 0)),
      String(again),
      ...[at(0.5), at(0.99), at(1)].map(figure),
    ];
  };
  return {
    title: "Hostile connections",
    method:
      `${CONNECTIONS} hostile connections for ${attackSeconds} s (seed ${seed}) in turns of every kind below; one that the service ends is replaced. They come from ${ADDRESSES} addresses. Another merchant makes ${CALLS_PER_SECOND} signed calls a second, and so do two providers with right keys over gRPC, one of them at an attacker's address; every ` +
      `${NEW_CONNECTION_EVERY}th on a new connection. Files and memory are compared ${SETTLE_MS / 1_000} s after the last hostile connection was closed, after a collection. Allocator: ${process.env.LD_PRELOAD ?? "the system's"}.`,
    tables: [
      {
        title: "The service",
        columns: ["", "before", "during, most", "after"],
        rows: [
          ["open files", String(before.openFiles), String(found.openFilesMost), String(after.openFiles)],
          [
            "resident memory, MiB",
            figure(before.residentMib),
            figure(found.residentMostMib),
            figure(after.residentMib),
          ],
          ["living objects and buffers, MiB", figure(before.livingMib), "", figure(after.livingMib)],
        ],
      },
      {
        title: "The attackers",
        columns: ["kind", "connections", "ended by the service", "requests, streams or bytes"],
        rows: Object.entries(attack).map(([kind, count]) => [
          kind,
          String(count.opened),
          String(count.ended),
          String(count.sent),
        ]),
      },
      {
        title: "The others' calls",
        columns: ["", "answered", "not answered", "OVERLOADED and asked again", "p50 ms", "p99 ms", "longest ms"],
        rows: Object.entries(calls).map(callsRow),
      },
    ],
    targets: [
      {
        what: "open files more than before",
        measured: spread([after.openFiles - before.openFiles]),
        bound: { atMost: FILES_MORE },
        unit: "",
      },
      {
        what: "resident memory more than before",
        measured: spread([after.residentMib - before.residentMib]),
        bound: { atMost: MEMORY_MORE_MIB },
        unit: "MiB",
      },
    ],
    violations: violationsOf(found, CONNECTIONS + CONNECTIONS_MOST, attackSeconds * CALLS_PER_SECOND),
    raw: found,
  };
}
