/** Silent wallets and their effect on other merchants: some of fifty wallets, and all permits of eighty merchants. */
import { everyPlaceHangs, everyPlaceTable, everyPlaceTargets } from "../isolation/every-place.ts";
import { someHangTable, someHangTargets, someOfFiftyHang } from "../isolation/some-of-fifty.ts";
import type { Bench, Measurement, Section } from "../measurement.ts";
import { figure } from "../report/report.ts";
import { SHARE } from "./latency.ts";

export const isolation: Measurement = { name: "isolation", run };

async function run(bench: Bench): Promise<Section> {
  const some = await someOfFiftyHang(bench);
  const every = await everyPlaceHangs(bench);
  const { seconds, runs } = bench.options;
  return {
    title: "A dead wallet is its merchant's alone",
    method:
      `All merchants together get ${figure(some.perSecond)} bets/s (${SHARE * 100} % of the capacity) in an open loop over the same four connections; then some wallets stop answering, and the others are ` +
      `timed for ${seconds} s from that moment. In the second table 80 merchants whose wallet never answers (time-out 15 s) have 64 calls each and eight others get the bets, ${seconds} s before and 5 s while all calls hang. ` +
      `Service and database share one core, load and wallet another. Median (lowest-highest) of ${runs} runs.`,
    tables: [someHangTable(some), everyPlaceTable(every)],
    targets: [...someHangTargets(some), ...everyPlaceTargets(every)],
    raw: { some, every },
  };
}
