/**
 * Tests for errors that need several nodes: one request at all replicas at once, and a read at one node directly after
 * a write at another node.
 */
import { randomBytes } from "node:crypto";
import { sessionHash } from "../../../src/adapters/sql/access/session-hashing.ts";
import { SqlSessionStore } from "../../../src/adapters/sql/access/session-store.ts";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { rows } from "../../../src/adapters/sql/connection/execute.ts";
import type { Statement } from "../../../src/adapters/sql/connection/statement.ts";
import { sign } from "../../../src/domain/signing/signing.ts";
import type { Content } from "../../../src/domain/transaction/transaction.ts";
import { keyText } from "../../../src/domain/values/identifiers.ts";
import { signedCall } from "../../../testbed/callers/signed-call.ts";
import type { Directory } from "../../../testbed/directory/directory.ts";
import { storeSession } from "../../../testbed/directory/sessions.ts";
import { type Outcome, type Violation, violation } from "../../../testbed/judge/record.ts";
import type { Replica } from "../../../testbed/service/replica.ts";
import type { Player } from "../../../testbed/stage/installation.ts";
import { readLedger } from "../../../testbed/wallet/ledger-file.ts";
import type { Stage } from "./stage.ts";

export interface Probed {
  readonly what: string;
  readonly result: string;
  readonly violations: readonly Violation[];
}

const COPIES = 1_000;
const TIMEOUT_MS = 20_000;
const PAUSE_MS = 100;

const playerOf = (stage: Stage, n: number): Player =>
  stage.installation.players[n % stage.installation.players.length] as Player;
const replicaOf = (stage: Stage, n: number): Replica => stage.replicas[n % stage.replicas.length] as Replica;
const inWords = (outcome: Outcome): string =>
  outcome.kind === "ok" ? outcome.status : outcome.kind === "refused" ? outcome.code : "unknown";

/**
 * Sends one request. Repeats it while the replica is overloaded or its database doesn't answer, because the machine has
 * other work.
 */
async function taken(
  { installation, replicas }: Stage,
  player: Player,
  content: Content,
  at: number,
): Promise<Outcome> {
  const on = replicas[at % replicas.length] as Replica;
  for (;;) {
    const outcome = await installation.provider.request(content, player.sessionId, on, TIMEOUT_MS);
    if (outcome.kind !== "refused" || !["OVERLOADED", "SERVICE_UNAVAILABLE"].includes(outcome.code)) return outcome;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** {@link COPIES} copies of one bet over all replicas: one wallet call, and no caller gets another result. */
export async function copies(stage: Stage, rounds: number): Promise<Probed> {
  const { installation } = stage;
  await installation.wallet.rates([]);
  const outcomeCounts = new Map<string, number>();
  const contents = Array.from({ length: rounds }, (_, n) => ({
    player: playerOf(stage, n),
    content: installation.content(playerOf(stage, n), "bet", `copies${n}`),
  }));
  for (const { player, content } of contents) {
    const requests = Array.from({ length: COPIES }, (_, n) => taken(stage, player, content, n));
    for (const outcome of await Promise.all(requests))
      outcomeCounts.set(inWords(outcome), (outcomeCounts.get(inWords(outcome)) ?? 0) + 1);
  }
  const answers = answersOf(stage);
  const violations = contents.flatMap(({ content }) => {
    const calls = answers.get(content.txId) ?? 0;
    return calls === 1 ? [] : [violation("I1", keyText(content), `${COPIES} copies of it made ${calls} wallet calls`)];
  });
  const words = [...outcomeCounts].sort(([, a], [, b]) => b - a).map(([word, n]) => `${n} ${word}`);
  return {
    what: `${COPIES} copies of one bet over three replicas, ${rounds} rounds`,
    result: `one wallet call in ${rounds - violations.length} of them; told ${words.join(", ")}`,
    violations,
  };
}

/**
 * A session begins at one node. A bet in it comes at once to the next node. Its repeat, a read of its record and its
 * refund come at once to the third node. A plain read of the node is counted, too. It shows how often the service would
 * have been wrong if it did not wait for the writes of other nodes.
 */
export async function looks(stage: Stage, rounds: number): Promise<Probed> {
  const { installation, cluster } = stage;
  await installation.wallet.rates([]);
  const open = (url: string) => openDatabase(url, { max: 1, decisiveMax: 1 });
  const nodes = cluster.nodes.map((node) => open(node.url("aggregator")));
  // A node may take no writes. Then the service sends them to another node.
  const writers = cluster.nodes.map((_, i) => open(cluster.url(i, "aggregator")));
  const nodeOf = (n: number) => nodes[n % nodes.length] as Database;
  const violations: Violation[] = [];
  const stale = { sessions: 0, bets: 0 };
  try {
    for (let n = 0; n < rounds; n++) {
      const player = await withSession(
        playerOf(stage, n),
        installation.directory,
        writers[n % writers.length] as Database,
      );
      const content = installation.content(player, "bet", `look${n}`);
      const third = replicaOf(stage, n + 2);
      const [known, bet] = await Promise.all([
        shows(nodeOf(n + 1), { sql: "SELECT 1 FROM sessions WHERE id = ?", bindings: [sessionHash(player.sessionId)] }),
        taken(stage, player, content, n + 1),
      ]);
      if (!known) stale.sessions += 1;
      const { merchantId, txId } = content;
      const [there, repeat, record] = await Promise.all([
        shows(nodeOf(n + 2), {
          sql: "SELECT 1 FROM tx WHERE merchant_id = ? AND tx_id = ? AND status = 1",
          bindings: [merchantId, txId],
        }),
        taken(stage, player, content, n + 2),
        signedCall(
          `http://127.0.0.1:${third.ports.rest}`,
          player.merchant,
          "GET",
          `/v1/transactions/${encodeURIComponent(txId)}`,
        ),
      ]);
      if (!there) stale.bets += 1;
      const refund = await taken(stage, player, installation.content(player, "refund", `look${n}f`, `look${n}`), n + 2);
      const shown = record.ok ? String((record.data as { status: string }).status) : record.code;
      const words = [inWords(bet), inWords(repeat), shown, inWords(refund)];
      // On a busy machine a wallet may be too slow, and then a bet or its refund stays pending. In all other cases only
      // success is right.
      const wrong =
        inWords(bet) !== "pending" && words.some((word, i) => word !== "success" && !(i === 3 && word === "pending"));
      if (wrong)
        violations.push(violation("I4", keyText(content), `bet, repeat, record and refund: ${words.join(", ")}`));
    }
  } finally {
    for (const one of [...nodes, ...writers]) await one.close();
  }
  return {
    what: `a session at one node, its bet at the next, the bet's repeat, record and refund at the third, each at once, ${rounds} times`,
    result: `plain reads missed ${stale.sessions} sessions and ${stale.bets} bets, the service ${violations.length}`,
    violations,
  };
}

/** The same player in another session that a replica at this node has stored. */
async function withSession(player: Player, { provider, game }: Directory, node: Database): Promise<Player> {
  const { merchant, playerId } = player;
  const sessionId = await storeSession(new SqlSessionStore(node), {
    merchantId: merchant.id,
    playerId,
    provider,
    game,
  });
  return { ...player, sessionId };
}

/** Whether a read of a node finds a row, without waiting for the writes of the other nodes. */
const shows = async (node: Database, statement: Statement): Promise<boolean> =>
  (await rows(node, statement)).length > 0;

/** One signed request at all replicas at once: only one of them accepts the nonce. */
export async function nonces(stage: Stage, rounds: number): Promise<Probed> {
  const violations: Violation[] = [];
  for (let n = 0; n < rounds; n++) {
    const { code, secret } = playerOf(stage, n).merchant;
    const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
    const target = "/v1/merchant";
    const signature = sign(secret, { timestamp, nonce, method: "GET", target, body: "" });
    const headers = { "x-merchant-id": code, "x-timestamp": timestamp, "x-nonce": nonce, "x-signature": signature };
    const statuses = await Promise.all(
      [...stage.replicas, ...stage.replicas].map(async ({ ports }) => {
        const response = await fetch(`http://127.0.0.1:${ports.rest}${target}`, { headers });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    const words = statuses.sort().join(" ");
    // 503 means that a replica's database was too slow. Then this request may have used up the nonce.
    const admitted = statuses.filter((status) => status === 200).length;
    if (admitted > 1 || (admitted === 0 && !statuses.includes(503)))
      violations.push(
        violation("I14", `${code} ${nonce}`, `one request, sent six times over three replicas: ${words}`),
      );
  }
  return {
    what: `one signed request six times over three replicas at once, ${rounds} rounds`,
    result: `taken once in ${rounds - violations.length} of them`,
    violations,
  };
}

/** The number of wallet answers for each id; calls that timed out are not counted. */
function answersOf({ installation }: Stage): ReadonlyMap<string, number> {
  const lines = readLedger(installation.wallet.ledgerFile);
  const answered = new Set(
    lines.flatMap((line) => (line.kind === "ended" && line.how === "replied" ? [line.call] : [])),
  );
  const counts = new Map<string, number>();
  for (const line of lines) {
    if (line.kind !== "received" || !answered.has(line.call)) continue;
    const { tx_id: id = "" } = JSON.parse(line.body) as { tx_id?: string };
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
