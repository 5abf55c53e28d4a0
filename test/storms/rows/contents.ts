import type { Content } from "../../../src/domain/transaction/transaction.ts";
import type { Currency } from "../../../src/domain/values/money.ts";
import type { Outcome } from "../../../testbed/judge/record.ts";
import { difference } from "../../../testbed/judge/record.ts";
import { OK, REJECTS } from "../../../testbed/wallet/behaviour.ts";
import type { Row } from "../row.ts";
import { isFinal, isTransient, pause, type Run, words } from "../run.ts";

const COPIES_EACH = 3;
/** The wire's names for the results of {@link difference}. */
const WIRE: Readonly<Record<string, string>> = { player: "player_id", round: "round_id", reference: "ref_tx_id" };

/** A request, and its session. */
interface Request {
  readonly content: Content;
  readonly sessionId: string;
}

type Rival = (run: Run) => Promise<readonly [Content, Content]>;

const bets =
  (other: (bet: Content, run: Run) => Partial<Content>): Rival =>
  async (run) => {
    const bet = run.content("bet", "x");
    return [bet, { ...bet, ...other(bet, run) }];
  };

/** A refund of an accepted bet, and other content under its id. */
const refunds =
  (other: (refund: Content, run: Run) => Partial<Content>): Rival =>
  async (run) => {
    for (const name of ["o1", "o2"]) await run.repeatUntilFinal(run.content("bet", name));
    const refund = run.content("refund", "x", "o1");
    return [refund, { ...refund, ...other(refund, run) }];
  };

const RIVALS: readonly Rival[] = [
  bets(() => ({ amountMinor: 300n })),
  bets((_, { neighbour }) => ({ playerId: neighbour.playerId as Content["playerId"] })),
  bets(({ roundId }) => ({ roundId: `${roundId}!` })),
  bets(() => ({ currency: "USD" as Currency })),
  bets(() => ({ action: "win" })),
  bets(({ roundId }, { neighbour }) => ({
    roundId: `${roundId}!`,
    playerId: neighbour.playerId as Content["playerId"],
  })),
  refunds((_, run) => ({ refTxId: run.content("bet", "o2").txId })),
  refunds(({ roundId }) => ({ roundId: `${roundId}!` })),
  refunds(() => ({ amountMinor: 300n })),
  refunds(() => ({ action: "bet", refTxId: null })),
  refunds(() => ({ action: "rollback" })),
];

/** Row D2 of docs/notebook/reliability.md. */
export const TWO_CONTENTS: Row = {
  id: "D2",
  what: "one id with two contents at once over three replicas",
  runs: 200,
  briefly: RIVALS.length,
  atOnce: 12,
  async run(run) {
    const { player, neighbour } = run;
    const rivals = await (RIVALS[run.n % RIVALS.length] as Rival)(run);
    const [a, b] = rivals.map(
      (content): Request => ({
        content,
        sessionId: content.playerId === player.playerId ? player.sessionId : neighbour.sessionId,
      }),
    ) as [Request, Request];
    await run.script(a.content, run.random.pick([OK, REJECTS, { ...OK, afterMs: 200 }]));
    const outcomes: [Request, Outcome][] = [];
    const one = async (request: Request): Promise<void> => {
      await pause(run.random.int(0, 3));
      outcomes.push([request, await run.ask(request.content, run.anyReplica(), request.sessionId)]);
    };
    await Promise.all(Array.from({ length: COPIES_EACH }, () => [one(a), one(b)]).flat());
    // All requests may have been refused for overload. Then the first one is repeated.
    const [winner, won] = outcomes.find(([, outcome]) => outcome.kind === "ok" && isFinal(outcome)) ?? [
      a,
      await run.repeatUntilFinal(a.content, a.sessionId),
    ];
    const loser = winner === a ? b : a;
    outcomes.push([loser, await run.repeatUntilFinal(loser.content, loser.sessionId)]);
    run.expect(won.kind === "ok", a.content, `neither was taken: ${words(won)}`);
    for (const [request, outcome] of outcomes) {
      const fits =
        request === winner
          ? outcome.kind === "ok" || isTransient(outcome)
          : isTransient(outcome) || isRefusalOf(outcome, loser.content, winner.content);
      run.expect(
        fits,
        a.content,
        `the one that ${request === winner ? "was" : "wasn't"} taken was told ${words(outcome)}`,
        "I8",
      );
    }
    run.afterwards(({ calls }) => {
      const strange = calls(a.content).filter(({ content }) => difference(content, winner.content) !== undefined);
      run.expect(
        calls(a.content).length > 0 && strange.length === 0,
        a.content,
        `${strange.length} of ${calls(a.content).length} calls with the other content`,
        "I2",
      );
      run.expect(
        new Set(calls(a.content).map(({ body }) => body)).size === 1,
        a.content,
        "two bodies reached the wallet",
        "I2",
      );
    });
  },
};

/**
 * Whether a refusal has the first field that differs. While the id is unknown, a currency that the merchant does not
 * have is refused with CURRENCY_NOT_ENABLED.
 */
function isRefusalOf(outcome: Outcome, content: Content, taken: Content): boolean {
  if (outcome.kind !== "refused") return false;
  if (outcome.code === "CURRENCY_NOT_ENABLED") return content.currency !== taken.currency;
  const field = difference(taken, content) ?? "";
  if (outcome.code !== "TRANSACTION_MISMATCH") return false;
  // Neither request may reverse the bet in its ref_tx_id. If a request arrived before the other request was written, it
  // is refused with the field ref_tx_id.
  return outcome.field === (WIRE[field] ?? field) || (content.action === "rollback" && outcome.field === "ref_tx_id");
}
