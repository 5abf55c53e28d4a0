/** The bugs that the tests of each connector must catch. */
import { caleta } from "./bugs/caleta.ts";
import { evolution } from "./bugs/evolution.ts";
import { frame } from "./bugs/frame.ts";
import { hub88 } from "./bugs/hub88.ts";
import { pgsoft } from "./bugs/pgsoft.ts";
import type { PlantedBug } from "./bugs/planted-bug.ts";
import { pragmatic } from "./bugs/pragmatic.ts";
import { redtiger } from "./bugs/redtiger.ts";
import { slotegrator } from "./bugs/slotegrator.ts";
import { softswiss } from "./bugs/softswiss.ts";
import { spribe } from "./bugs/spribe.ts";

export type { PlantedBug };

/** The test files in test/connectors/ that must catch a connector's bugs, and a part of the titles of their tests. */
export const TESTS: Readonly<Record<string, { readonly files: readonly string[]; readonly title?: string }>> = {
  caleta: { files: ["hub88", "caleta-answers", "orders", "bad-input"], title: "aleta" },
  evolution: { files: ["evolution", "orders"] },
  frame: { files: ["frame/open-bets", "frame/wire", "orders"] },
};

/** By the name of the connector. Unless {@link TESTS} says otherwise, it is the name of the test file, too. */
export const PLANTED: Readonly<Record<string, readonly PlantedBug[]>> = {
  hub88,
  evolution,
  slotegrator,
  redtiger,
  pgsoft,
  spribe,
  softswiss,
  caleta,
  pragmatic,
  frame,
};
