import { NotTried } from "../../report/ending.ts";
import { newPlayer } from "../aggregator/session.ts";
import type { Case, Category } from "../case.ts";
import { ProviderFinding } from "../judge/finding.ts";
import { betsOf, transactionsOf } from "../judge/standing.ts";
import { callInWords } from "../judge/words.ts";
import { OPEN_WITHIN_MS } from "../source.ts";
import type { Trial } from "../trial.ts";

const must = { level: "must", when: "any time" } as const;
const LANGUAGES = ["pt", "es", "en", "pt-BR", "es-419"];
const OPENS = "Answer OpenGame with an absolute address, for each of your games, and within the deadline.";

const inLanguage = (language: string): Case => ({
  ...must,
  id: `language-${language.toLowerCase()}`,
  title: `The game opens in the language ${language}`,
  rule: "prov-open-request",
  async run(it) {
    const opening = await it.launch(it.session(), language);
    if ("fault" in opening)
      throw new ProviderFinding("prov-open-request", {
        expected: `an address, for the language ${language}`,
        received: opening.fault,
        fix: "Show the nearest language that you have.",
      });
  },
});

export const LAUNCH: Category = {
  id: "launch",
  title: "Opening games",
  cases: [
    {
      ...must,
      id: "opens",
      title: "OpenGame is answered in time with an address that a browser can open",
      rule: "prov-open-failed",
      async run(it) {
        const opening = await it.launch(it.session());
        if ("fault" in opening)
          throw new ProviderFinding("prov-open-failed", {
            expected: `a launch_url within ${OPEN_WITHIN_MS / 1_000} s`,
            received: opening.fault,
            fix: OPENS,
          });
      },
    },
    {
      ...must,
      id: "secret",
      title: "The address does not contain the session_id",
      rule: "prov-session-secret",
      async run(it) {
        const { session, launchUrl } = await it.open();
        // Decoded byte by byte, because an address may contain bytes that are not UTF-8, and a session_id is ASCII.
        const text = launchUrl.replace(/%([0-9a-f]{2})/gi, (_, byte: string) =>
          String.fromCharCode(Number.parseInt(byte, 16)),
        );
        if (text.includes(session.id))
          throw new ProviderFinding("prov-session-secret", {
            expected: "an address with your own token",
            received: text.replaceAll(session.id, "<session_id>"),
            fix: "Make a random token for the page, and keep the `session_id` beside it on your server. Whoever has a `session_id` and your key can move the player's money.",
          });
      },
    },
    ...LANGUAGES.map(inLanguage),
    {
      ...must,
      id: "two-sessions",
      title: "When a player opens the game twice, the bet carries the session of its own page",
      rule: "launch-session",
      async run(it) {
        const player = newPlayer();
        const [older, newer] = [await it.open({ player }), await it.open({ player })];
        for (const opened of [older, newer]) await spinInItsOwn(it, opened);
        await it.settle();
        await it.quiet();
        it.judge();
      },
    },
    {
      ...must,
      id: "demo",
      title: "A demo opens, and moves no money",
      rule: "prov-session-demo",
      async run(it) {
        const session = it.session({ demo: true });
        const opening = await it.launch(session);
        if ("fault" in opening) throw new NotTried(`The game has no demo: OpenGame got ${opening.fault}.`, false);
        await it.spinInVain({ session, launchUrl: opening.launchUrl });
        const [call] = transactionsOf(session.calls);
        if (call !== undefined)
          throw new ProviderFinding(
            "prov-session-demo",
            {
              expected: "no bet, win or refund in a demo's session",
              received: callInWords(call.first),
              fix: "Keep the money of a demo yourself when OpenGame says `demo`.",
            },
            call.first,
          );
      },
    },
  ],
};

/** Spins in one session. The bet may wrongly have the id of the player's other session. */
async function spinInItsOwn(it: Trial, opened: Parameters<Trial["spin"]>[0]): Promise<void> {
  const bets = () => betsOf(transactionsOf(it.calls));
  const before = bets().length;
  try {
    await it.spin(opened);
  } catch (cause) {
    const further = bets().slice(before)[0];
    if (further === undefined) throw cause;
    throw new ProviderFinding(
      "launch-session",
      {
        expected: "a bet with the session of the page that played",
        received: `a bet with the player's other session: ${callInWords(further.first)}`,
        fix: "Find the session by the page's own token, not by the player.",
      },
      further.first,
    );
  }
}
