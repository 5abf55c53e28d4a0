/**
 * The chaos judge: a fake provider plays rounds through two replicas of a connector. Calls are sent two or three times
 * and in both orders, answers are dropped, and connector and service are killed. In the end the wallet's ledger must be
 * what the provider's book says, round by round.
 */
import { Agent, request } from "undici";
import { callbackFaults } from "../../../testbed/callers/contract.ts";
import type { ProviderCall } from "../../../testbed/connectors/stage.ts";
import { SeededRandom } from "../../../testbed/seeded-random.ts";
import type { BetState, ChaosAnswer, ChaosProvider, RoundScript } from "./scripts.ts";

export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** The number of rounds that are played at once. */
  readonly players?: number;
  /** How often a process is killed: once in so many rounds. */
  readonly killEvery?: number;
  /** After so many minutes no further round begins. */
  readonly minutes?: number;
  /** Called now and then. */
  readonly progress?: (text: string) => void;
}

export interface ChaosResult {
  readonly rounds: number;
  readonly calls: number;
  readonly dropped: number;
  readonly kills: number;
  readonly ownReversals: number;
  /** One line for each round whose money differs. */
  readonly violations: readonly string[];
}

const PAUSE_MS = 100;
const QUIET_MS = 90_000;
const CALL_MS = 6_000;
const LONG = 1_000;

export async function playChaos(provider: ChaosProvider, options: ChaosOptions): Promise<ChaosResult> {
  const { rounds, seed, players = 8, killEvery = 25, minutes = Number.POSITIVE_INFINITY, progress } = options;
  const { stage } = provider;
  const { wallet, callbacks } = stage.service;
  const end = performance.now() + minutes * 60_000;
  // The bets of a long run are never refused for lack of money.
  if (rounds > LONG) wallet.ledger.deposit("shop-brl", "ana", 1_000_000_000n);
  const faults: string[] = [];
  const random = new SeededRandom(seed);
  const agent = new Agent({ connections: 64 });
  const book = new Map<string, number>();
  const counts = { calls: 0, dropped: 0, kills: 0, ownReversals: 0 };
  let begun = 0;
  let killing: Promise<void> = Promise.resolve();

  /** Sends a call once to any replica. undefined: no answer, or it was dropped. */
  async function once(call: ProviderCall): Promise<string | undefined> {
    counts.calls += 1;
    const isDropped = random.chance(0.1);
    try {
      const signal = AbortSignal.timeout(isDropped ? random.int(1, 40) : CALL_MS);
      const { headers, body, path } = call;
      const options = { method: "POST", headers, body, dispatcher: agent, signal } as const;
      const reply = await request(`${random.pick(stage.origins)}${path}`, options);
      const text = await reply.body.text();
      if (!(provider.http ?? [200]).includes(reply.statusCode))
        throw new Error(`HTTP ${reply.statusCode} to ${path}: ${text}`);
      const answer = JSON.parse(text) as ChaosAnswer;
      if (!isDropped) return provider.resultOf?.(answer) ?? resultOf(answer);
    } catch (cause) {
      if (cause instanceof Error && cause.message.startsWith("HTTP ")) throw cause;
    }
    counts.dropped += 1;
    return undefined;
  }

  /** Sends a call one to three times at once. Returns the answers that came. */
  async function several(call: () => ProviderCall): Promise<readonly string[]> {
    const copies = Array.from({ length: random.int(1, 3) }, () => once(call()));
    return (await Promise.all(copies)).filter((answer) => answer !== undefined);
  }

  async function until(call: () => ProviderCall, isDone: (status: string) => boolean): Promise<void> {
    for (let tries = 1; !(await several(call)).some(isDone); tries++) {
      if (tries > 600) throw new Error(`no final answer to ${call().path}: ${call().body}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async function play(script: RoundScript): Promise<void> {
    const amount = random.int(1, 300);
    const bet = () => script.bet(amount);
    const { cancelBet } = script;
    const cancel = cancelBet && (() => until(() => cancelBet(amount), script.isCancelDone));
    // In both orders: the cancel overtakes the bet, or crosses it.
    if (cancel !== undefined && random.chance(0.1)) {
      book.set(script.round, 0);
      await Promise.all(random.chance(0.5) ? [several(bet), cancel()] : [cancel().then(() => several(bet))]);
      return;
    }
    const states = (await several(bet)).map(script.betState);
    let state: BetState = states.includes("stands") ? "stands" : states.includes("refused") ? "refused" : "unclear";
    book.set(script.round, 0);
    if (state === "unclear" && cancel === undefined)
      await until(bet, (result) => {
        state = script.betState(result);
        return state !== "unclear";
      });
    if (state === "refused") return;
    if (state === "unclear") {
      // An answer came, but it says nothing: some providers forget such a bet.
      if (provider.forgets && states.length > 0 && random.chance(0.3)) counts.ownReversals += 1;
      else await cancel?.();
      return;
    }
    if (cancel !== undefined && random.chance(0.1)) return cancel();
    let sum = (script.winOfBet ?? 0) - amount;
    for (let n = 0; n < random.int(1, provider.winsMax); n++) {
      const win = random.chance(0.4) ? 0 : random.int(1, 500);
      await until(() => script.win(win, n), script.isWinDone);
      sum += win;
      if (script.cancelWin !== undefined && win > 0 && random.chance(0.1)) {
        const back = script.cancelWin;
        await until(() => back(n), script.isCancelDone);
        sum -= win;
      }
    }
    book.set(script.round, sum);
  }

  async function kill(): Promise<void> {
    counts.kills += 1;
    const replicas = stage.replicas;
    if (random.chance(0.3)) await stage.restartService();
    else await random.pick(replicas).restart();
  }

  async function player(): Promise<void> {
    while (begun < rounds && performance.now() < end) {
      begun += 1;
      // Too many for the memory of a long run.
      if (begun % LONG === 0) {
        faults.push(...callbacks.splice(0).flatMap(callbackFaults));
        progress?.(`${begun} rounds, ${JSON.stringify(counts)}`);
      }
      if (begun % killEvery === 0) killing = killing.then(kill);
      if (begun % 20 === 5) wallet.setFault({ kind: random.pick(["applied_no_reply", "http_500"]) });
      if (begun % 20 === 7) wallet.setFault({ kind: "none" });
      await play(provider.next());
    }
  }

  await Promise.all(Array.from({ length: players }, player));
  wallet.setFault({ kind: "none" });
  await killing;
  const violations = [...faults, ...(await compare(book, provider))];
  await agent.destroy();
  return { rounds: begun, ...counts, violations };
}

/** Most APIs name the result of a call in one of these fields. A success of Slotegrator has no name. */
const resultOf = ({ status, error, error_code }: ChaosAnswer): string => String(status ?? error ?? error_code ?? "ok");

/** Waits until the ledger is what the book says, because resends and own reversals take some time. */
async function compare(book: ReadonlyMap<string, number>, { stage }: ChaosProvider): Promise<readonly string[]> {
  for (const until = performance.now() + QUIET_MS; ; ) {
    const ledger = new Map<string, number>();
    const { effects } = stage.service.wallet.ledger;
    for (const { roundId, deltaMinor } of effects) ledger.set(roundId, (ledger.get(roundId) ?? 0) + Number(deltaMinor));
    const violations = [...new Set([...book.keys(), ...ledger.keys()])]
      .filter((round) => (ledger.get(round) ?? 0) !== (book.get(round) ?? 0))
      .map((round) => {
        const own = effects
          .filter(({ roundId }) => roundId === round)
          .map(({ txId, deltaMinor }) => `${txId} ${deltaMinor}`);
        return `${round}: the book says ${book.get(round) ?? 0}, the wallet ${ledger.get(round) ?? 0}: ${own.join(", ")}`;
      });
    if (violations.length === 0 || performance.now() > until) return violations;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
