/**
 * A process of hostile connections. It keeps a fixed number of connections open, of every kind in turn, until it gets
 * the order to end.
 */
import { SeededRandom } from "../../testbed/seeded-random.ts";
import {
  dust,
  halfOpen,
  inventedCookies,
  type Kind,
  largeBodies,
  longHeaders,
  readPages,
  slow,
  slowReader,
  unreadCalls,
  unreadMetrics,
  unreadPages,
  unsignedCalls,
} from "./http1.ts";
import { dustFrames, halfOpenCalls, reflections, resets, watches, wrongKeys } from "./http2.ts";
import { ADDRESSES, type Attack, addressOf, type Count, type Ended } from "./orders.ts";

const KINDS: Readonly<Record<string, Kind>> = {
  "HTTP: pipelined pages, unread": unreadPages,
  "HTTP: pipelined pages, read": readPages,
  "HTTP: pipelined signed calls, unread": unreadCalls,
  "HTTP: pipelined unsigned calls, unread": unsignedCalls,
  "HTTP: pipelined at the internal port, unread": unreadMetrics,
  "HTTP: slow headers and bodies": slow,
  "HTTP: a page read slowly": slowReader,
  "HTTP: large bodies": largeBodies,
  "HTTP: bodies in pieces of one byte": dust,
  "HTTP: long headers": longHeaders,
  "HTTP: invented cookies of the console": inventedCookies,
  "all ports: half-open": halfOpen,
  "gRPC: health watches": watches,
  "gRPC: reflection streams": reflections,
  "gRPC: half-open calls": halfOpenCalls,
  "gRPC: wrong keys": wrongKeys,
  "gRPC: messages in frames of one byte": dustFrames,
  "gRPC: streams reset at once": resets,
};

/** The pause between two acts of a connection, and between a closed connection and its replacement. */
const PAUSE_MS = { least: 50, most: 400 };

const counts: Record<string, Count> = {};
const ends = new Set<() => void>();
let ending = false;

function attack(order: Attack): void {
  const names = Object.keys(KINDS).filter((name) => name.includes(order.kinds));
  for (const name of names) counts[name] = { opened: 0, sent: 0, ended: 0 };
  for (let i = 0; i < order.connections; i++)
    keepOpen(order, names[i % names.length] as string, new SeededRandom(order.seed, i));
}

/** Opens connections of one kind, one after another. */
function keepOpen(order: Attack, name: string, random: SeededRandom): void {
  if (ending) return;
  const count = counts[name] as Count;
  const hostile = (KINDS[name] as Kind)(order, addressOf(random.int(1, ADDRESSES)), random);
  count.opened += 1;
  const pause = (): number => random.int(PAUSE_MS.least, PAUSE_MS.most);
  let timer: NodeJS.Timeout;
  const act = (): void => {
    if (!hostile.socket.connecting && !hostile.socket.destroyed) count.sent += hostile.act();
    timer = setTimeout(act, pause());
  };
  timer = setTimeout(act, pause());
  const end = (): void => void hostile.socket.destroy();
  ends.add(end);
  hostile.socket.on("error", () => {});
  hostile.socket.once("close", () => {
    clearTimeout(timer);
    ends.delete(end);
    if (ending) return;
    count.ended += 1;
    setTimeout(() => keepOpen(order, name, random), pause());
  });
}

function end(): void {
  ending = true;
  for (const close of ends) close();
  process.send?.({ kind: "ended", counts } satisfies Ended);
}

process.on("message", (order: Attack | { readonly kind: "end" }) => {
  if (order.kind === "attack") attack(order);
  else end();
});
process.send?.({ kind: "ready" });
process.once("SIGTERM", () => process.exit(0));
