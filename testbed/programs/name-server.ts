/**
 * A name server on loopback (RFC 1035, over UDP, one question per message). A test decides the answer for each name.
 */
import { createSocket, type RemoteInfo } from "node:dgram";
import { isIPv4, isIPv6 } from "node:net";

export const NXDOMAIN = 3;
export const SERVFAIL = 2;

/**
 * The answer for a name: addresses, of which a question gets those of its own family; an `alias`, with the addresses
 * behind a CNAME; an error code; or "nothing": the server never answers.
 */
export type DnsAnswer =
  | { readonly addresses: readonly string[]; readonly alias?: string; readonly afterMs?: number }
  | number
  | "nothing";

export type QuestionType = "A" | "AAAA";
const TYPES: Readonly<Record<number, QuestionType>> = { 1: "A", 28: "AAAA" };
const CNAME = 5;

export interface NameServer {
  /** `address:port`. */
  readonly address: string;
  /** Every question so far, `name TYPE`. */
  readonly queries: string[];
  close(): Promise<void>;
}

/** @param answerOf - called for each question; names are in lower case. */
export async function startNameServer(answerOf: (name: string, type: QuestionType) => DnsAnswer): Promise<NameServer> {
  const queries: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const server = createSocket("udp4");
  server.on("message", (message, from) => {
    const { name, type, end } = question(message);
    if (type === undefined) return;
    queries.push(`${name} ${type}`);
    const result = answerOf(name, type);
    if (result === "nothing") return;
    const packet =
      typeof result === "number" ? answer(message, end, result, []) : answer(message, end, 0, records(result, type));
    const afterMs = typeof result === "number" ? 0 : (result.afterMs ?? 0);
    if (afterMs === 0) return send(packet, from);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(packet, from);
    }, afterMs);
    timers.add(timer);
  });
  const send = (packet: Buffer, from: RemoteInfo): void => server.send(packet, from.port, from.address);
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    queries,
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function question(message: Buffer): { name: string; type: QuestionType | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: TYPES[message.readUInt16BE(at + 1)], end: at + 5 };
}

/** A reply that contains the question. The names in its answers are pointers to the question (offset 12). */
function answer(query: Buffer, end: number, code: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

const NAME_OF_QUERY = Buffer.from([0xc0, 12]);

function records({ addresses, alias }: Exclude<DnsAnswer, number | "nothing">, type: QuestionType): Buffer[] {
  const owner = alias === undefined ? NAME_OF_QUERY : domainName(alias);
  const own = addresses
    .filter(type === "A" ? isIPv4 : isIPv6)
    .map((address) => record(owner, type === "A" ? 1 : 28, type === "A" ? bytes4(address) : bytes6(address)));
  return alias === undefined ? own : [record(NAME_OF_QUERY, CNAME, owner), ...own];
}

/** Class IN, with TTL 0, so that the client must ask again each time. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  return Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

const domainName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0]),
  ]);
const bytes4 = (address: string): Buffer => Buffer.from(address.split(".").map(Number));

/** The URL parser normalises every IPv6 address to hexadecimal groups, with the longest run of zeros as `::`. */
function bytes6(address: string): Buffer {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after] = text.split("::").map((half) => half.split(":").filter(Boolean));
  const missing = after === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(missing).fill("0"), ...(after ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
