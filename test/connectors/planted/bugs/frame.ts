import { FRAME, inDesk, inFolder, type PlantedBug } from "./planted-bug.ts";

const inBets = inFolder("frame/state", "open-bets");

export const frame: readonly PlantedBug[] = [
  ...FRAME,
  inBets(
    "a bet that was told to stand is reversed",
    "state IN ('armed', 'ending') AND due_at",
    "state IN ('armed', 'ending', 'taken') AND due_at",
  ),
  inBets(
    "a bet stands although a copy was told that nobody knows",
    "taken: \"state = 'armed'\"",
    "taken: \"state IN ('armed', 'ending')\"",
  ),
  inBets(
    "a copy without an outcome undoes the answer of the first",
    "ending: \"state IN ('armed', 'refused')\"",
    "ending: \"state IN ('armed', 'refused', 'taken')\"",
  ),
  inBets(
    "a bet may be tried again while it is reversed",
    "connector_tasks.state = 'ending' AND connector_tasks.attempts = 0",
    "connector_tasks.state = 'ending'",
  ),
  inBets("a refused bet that comes again is not reversed", "(connector_tasks.state = 'refused' OR ", "(1 = 0 OR "),
  inBets(
    "a bet stands although a copy was told that it took nothing",
    'if (state === "refused" && told === "taken") return',
    "if (false) return",
  ),
  inBets("two replicas reverse one bet", '"state = ? AND due_at = ? AND tx = ?"', "\"? <> '' AND ? > 0 AND tx = ?\""),
  inBets(
    "a bet that the provider has settled is reversed",
    "\"state IN ('armed', 'refused', 'ending') AND tx = ?\"",
    "\"state = 'armed' AND tx = ?\"",
  ),
  {
    name: "the own reversal of a bet takes a win back",
    file: "connectors/frame/finisher.ts",
    quote: "refTxId: id, onlyBet: true",
    instead: "refTxId: id, onlyBet: false",
  },
  inDesk(
    "a copy of a bet that stands is an error while the service is gone",
    "if (decision.balance !== undefined &&",
    "if (false &&",
  ),
];
