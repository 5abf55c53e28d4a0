/** The random histories as a category. Each history is a case. */
import { Finding } from "../../report/ending.ts";
import type { Exchange } from "../calls/wallet.ts";
import type { Case, Category } from "../case.ts";
import { citedRule } from "../rules.ts";
import type { Trial } from "../trial.ts";
import { generate } from "./generate.ts";
import { play } from "./play.ts";
import { rulesOf } from "./rules.ts";
import type { Script } from "./script.ts";
import { Budget, shrink } from "./shrink.ts";

/** The limits for shortening all failures of a pass together, so that a pass with many faults ends in time. */
const SHRINKING = { plays: 1_500, ms: 20_000 };
const FIX =
  "Play the script again with --replay until it passes. Its last step shows the answer that no order of the callbacks explains.";

export function randomHistories(seed: number, count: number): Category {
  const budget = new Budget(SHRINKING);
  const cases = Array.from({ length: count }, (_, i) =>
    history(
      `seed-${seed + i}`,
      `A random history of bets, wins, refunds, rollbacks, repeats, copies and cut connections keeps the rules (seed ${seed + i})`,
      (it) => playAndShrink(it, generate(seed + i), budget),
    ),
  );
  return { id: "random", title: "Random histories", cases };
}

/** One given history as a category. A failing history is not shortened. */
export const replayed = (script: Script): Category => ({
  id: "random",
  title: "A history played again",
  cases: [
    history("replay", "The given history keeps the rules", (it) =>
      playAndShrink(it, script, new Budget({ plays: 0, ms: 0 })),
    ),
  ],
});

const history = (id: string, title: string, run: Case["run"]): Case => ({
  id,
  title,
  rule: "contract-once",
  fix: FIX,
  run,
});

async function playAndShrink(it: Trial, script: Script, budget: Budget): Promise<void> {
  let found = await finding(it, script);
  if (found === undefined) return;
  let shown = it.exchanges.splice(0);
  const fails = async (smaller: Script): Promise<boolean> => {
    it.exchanges.length = 0;
    const again = await finding(it, smaller);
    if (again === undefined) return false;
    [found, shown] = [again, it.exchanges.splice(0)];
    return true;
  };
  const smallest = await shrink(script, fails, budget);
  // The report must show the exchanges of the smallest history.
  it.exchanges.splice(0, it.exchanges.length, ...shown);
  const rules = rulesOf(smallest).map(citedRule);
  throw new Finding({ ...found.texts, rules, script: smallest }, found.exchange);
}

async function finding(it: Trial, script: Script): Promise<Finding<Exchange> | undefined> {
  try {
    await play(it, script);
    return undefined;
  } catch (cause) {
    if (cause instanceof Finding) return cause;
    throw cause;
  }
}
