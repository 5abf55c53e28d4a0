import { randomBytes } from "node:crypto";
import { SqlSessionStore } from "../../../src/adapters/sql/access/session-store.ts";
import { keyText } from "../../../src/domain/values/identifiers.ts";
import { signedRequest } from "../../../testbed/callers/signed-call.ts";
import type { BinaryLog } from "../../../testbed/database/base-backup.ts";
import { storeSession } from "../../../testbed/directory/sessions.ts";
import type { Outcome, Violation } from "../../../testbed/judge/record.ts";
import type { Player } from "../../../testbed/stage/installation.ts";
import { effectsWithoutRow, isOfRepeats, reconciled, repeatSince } from "../database/restored.ts";
import type { Stage } from "../database/stage.ts";
import { documented } from "../documented.ts";
import { Drill, type Drilled, pause, seconds } from "./drill.ts";
import { readFeeds } from "./feeds.ts";

const ENDS_WITHIN_MS = 30_000;

/**
 * The server, its files and the end of its binary log are lost. The database is restored to a moment in the middle of
 * the play, by the five steps of docs/deployment.md. What the page says about lost rows is checked: wallets keep their
 * effects, repeats get their results without a second effect, reconciliation names every lost row and no other, and
 * merchants who read the feed see every row that came back.
 */
export async function toAMoment(stage: Stage, log: BinaryLog, playMs: number): Promise<Drilled> {
  const drill = new Drill("The files and the end of the binary log are lost", stage, log);
  const { players, installation } = stage;
  players.play();
  await pause(playMs);
  const base = await drill.takeBase();
  await pause(playMs);
  const moment = new Date(1_000 * Math.ceil(Date.now() / 1_000));
  await pause(moment.getTime() - Date.now() + playMs);
  await players.pause();
  drill.violations.push(...(await stage.judged()));
  await installation.wallet.rates([]);
  const late = await playInLateSession(stage);
  const read = await readFeeds(stage);
  const used = signedRequest(installation.directory.merchants[0] as (typeof installation.directory.merchants)[number]);
  const first = await used(stage.replicas[0]?.origin ?? "");
  await drill.lose();
  const lostAt = performance.now();

  await drill.restore(base, moment);
  const lost = await effectsWithoutRow(stage);
  drill.note("   transactions of wallets without a row", String(lost.size));
  if (lost.size <= late.keys.size) drill.wrong("no row of the players was lost, so the drill shows nothing");
  await drill.step("3. the numbers of the feeds are raised", () => stage.ask(documented("INSERT INTO feed_head")));
  await drill.start("4. the replicas are started with a new JWT_KEY and ready", {
    JWT_KEY: randomBytes(32).toString("base64"),
  });
  drill.note("   from the loss until all replicas are ready", seconds(performance.now() - lostAt));
  const again = [await used(stage.replicas[0]?.origin ?? ""), await used(stage.replicas[0]?.origin ?? "")];
  drill.note("   a used request, before; again, twice", `${first}; ${again.join(", ")}`);
  if (`${first} ${again}` !== "200 200,401") drill.wrong("a used nonce should be taken exactly once more");
  const before = await reconciled(stage);
  compare(drill, "before the repeats", before, lost);
  const repeated = await drill.step(
    "   the provider repeats its requests since the moment",
    () => repeatSince(stage, moment.getTime(), late.keys),
    ({ keys }) => `, ${keys.size} transactions`,
  );
  const named = await drill.step(
    "5. reconciliation of all merchants",
    () => reconciled(stage),
    (keys) => `, ${keys.size} transactions are missing: those of the lost session`,
  );
  compare(drill, "after the repeats", named, late.keys);

  const inLost = await late.send(late.player);
  if (`${inLost}` !== "SESSION_NOT_FOUND,SESSION_NOT_FOUND") drill.wrong(`in the lost session, repeats got ${inLost}`);
  const inNext = await late.send(await launched(stage, late.player));
  if (`${inNext}` !== "success,success") drill.wrong(`in the player's next session, repeats got ${inNext}`);
  drill.note("   the lost session's requests, in it; in the next one", `${inLost.join(", ")}; ${inNext.join(", ")}`);
  compare(drill, "at the end", await reconciled(stage), new Set());
  const judged = [...repeated.violations, ...(await stage.judged())];
  const isOfLate = ({ key, what }: Violation) => late.keys.has(key) && what.includes("SESSION_NOT_FOUND");
  drill.violations.push(...judged.filter((one) => !isOfRepeats(one, repeated.keys) && !isOfLate(one)));
  const seen = (await readFeeds(stage, read)).keys;
  const unseen = [...lost].filter((key) => !seen.has(key));
  drill.note("   rows that came back and the feeds show", String(lost.size - unseen.length));
  for (const key of unseen) drill.wrong("came back, and the feed does not show it", key);
  return drill.result;
}

/** A player launches again after the moment, bets and wins. The restored database does not know the session. */
async function playInLateSession(stage: Stage) {
  const player = await launched(stage, stage.installation.players[0] as Player);
  const { installation, replicas } = stage;
  const contents = (["bet", "win"] as const).map((action) => installation.content(player, action, `late-${action}`));
  /** Sends the bet and the win in a session of the player. Returns their outcomes as words. */
  const send = async ({ sessionId }: Player): Promise<string[]> => {
    const until = Date.now() + ENDS_WITHIN_MS;
    const on = () => replicas[0] as (typeof replicas)[number];
    const words: string[] = [];
    for (const content of contents)
      words.push(
        wordOf(await installation.provider.repeatUntilFinal(content, sessionId, on, () => Date.now() > until)),
      );
    return words;
  };
  const words = await send(player);
  if (`${words}` !== "success,success") throw new Error(`in a fresh session, bet and win got ${words}`);
  return { player, keys: new Set(contents.map(keyText)), send };
}

/** The player in another session, stored as a launch stores it. */
async function launched({ installation }: Stage, player: Player): Promise<Player> {
  const { provider, game } = installation.directory;
  const of = { merchantId: player.merchant.id, playerId: player.playerId, provider, game };
  return { ...player, sessionId: await storeSession(new SqlSessionStore(installation.database), of) };
}

/** Reports each difference between the transactions that reconciliation names and the expected ones. */
function compare(drill: Drill, when: string, named: ReadonlySet<string>, expected: ReadonlySet<string>): void {
  for (const key of expected)
    if (!named.has(key)) drill.wrong(`${when}: lost, and reconciliation does not name it`, key);
  for (const key of named)
    if (!expected.has(key)) drill.wrong(`${when}: reconciliation names it without a reason`, key);
}

const wordOf = (outcome: Outcome): string =>
  outcome.kind === "ok" ? outcome.status : outcome.kind === "refused" ? outcome.code : "no reply";
