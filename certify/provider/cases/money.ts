/** Cases in which the game plays a round, the aggregator gives bad answers, and all calls are judged. */
import type { BadDay } from "../aggregator/session.ts";
import type { Case } from "../case.ts";
import type { RuleId } from "../rules.ts";

interface BadRound {
  readonly id: string;
  readonly title: string;
  readonly rule: RuleId;
  readonly badDay: BadDay;
  /** The round needs a win. */
  readonly win?: true;
  /** The case cuts connections. */
  readonly alone?: true;
}

export const badRound = ({ id, title, rule, badDay, win, alone }: BadRound): Case => ({
  id,
  title,
  rule,
  level: "must",
  when: alone ? "alone" : "any time",
  async run(it) {
    const opened = await it.open({ badDay });
    if (win) await it.spinUntilWin(opened);
    else await it.spin(opened);
    await it.settle();
    await it.quiet();
    it.judge();
  },
});
