/** The texts of the sandbox's pages, by page and language. The tests check the words of these texts. */

import { en } from "../../../console/app/words/en/en.ts";
import { es } from "../../../console/app/words/es/es.ts";
import { en as moreEn } from "../../../console/app/words/more/en.ts";
import { es as moreEs } from "../../../console/app/words/more/es.ts";
import { pt as morePt } from "../../../console/app/words/more/pt.ts";
import { pt } from "../../../console/app/words/pt/pt.ts";
import { en as setUpEn } from "../../../console/app/words/set-up/en/en.ts";
import { es as setUpEs } from "../../../console/app/words/set-up/es/es.ts";
import { pt as setUpPt } from "../../../console/app/words/set-up/pt/pt.ts";
import { en as timelineEn } from "../../../console/app/words/timeline/en.ts";
import { es as timelineEs } from "../../../console/app/words/timeline/es.ts";
import { pt as timelinePt } from "../../../console/app/words/timeline/pt.ts";
import { WORDS as merchant } from "../../../sandbox/merchant/page/words/words.ts";
import { WORDS as wallet } from "../../../sandbox/merchant/wallet-page/words/words.ts";
import { WORDS as games } from "../../../sandbox/provider/page/words/words.ts";
import { WORDS as provider } from "../../../sandbox/provider/words/words.ts";
import { WORDS as sportsbook } from "../../../sandbox/sportsbook/page/words/words.ts";
import { LANGUAGES, type Language } from "../../../web-renderer/protocol.ts";

/** A tree of texts. A function creates a text from counts, amounts or names. */
export type Texts = { readonly [key: string]: string | ((...values: never[]) => string) | Texts };

export const PAGES: Readonly<Record<string, Readonly<Record<Language, Texts>>>> = {
  sportsbook,
  merchant,
  wallet,
  games,
  provider,
  console: { en, es, pt },
  "console, timeline": { en: timelineEn, es: timelineEs, pt: timelinePt },
  "console, more": { en: moreEn, es: moreEs, pt: morePt },
  "console, set-up": { en: setUpEn, es: setUpEs, pt: setUpPt },
};

/** Sample arguments for the functions in a tree of texts. Each function has at most three parameters. */
const SAMPLES = [
  [1, 1, 1],
  [2, 2, 2],
] as const;

/** The texts of a tree by their path, such as `refunds.done`. A function gives one text for each sample. */
export function textsOf(tree: Texts, path = ""): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]): (readonly [string, string])[] => {
      const here = path === "" ? key : `${path}.${key}`;
      if (typeof value === "string") return [[here, value]];
      if (typeof value === "function")
        return SAMPLES.map((sample, i) => [`${here}(${i + 1})`, value(...(sample as unknown as never[]))]);
      return [...textsOf(value, here)];
    }),
  );
}

export { LANGUAGES };
