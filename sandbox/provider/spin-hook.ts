/**
 * The hook by which certify-provider plays (docs/certify-provider.md#the-hook): one round of a slot, without a page. Each
 * round wins, because many cases are about wins.
 */
import { randomInt } from "node:crypto";
import { Refused, textField } from "../http/page-server.ts";
import type { GameSession } from "./game-session.ts";
import { type Grid, spin, winsOf } from "./slot.ts";
import type { SlotRounds } from "./slot-round.ts";

interface Page {
  readonly session: GameSession;
  readonly rounds: SlotRounds;
}

const SHOWN = { spun: "played", pending: "waiting", refused: "refused" } as const;

/** `pageOf`: finds the page by the token in OpenGame's answer. Returns what the game would show to the player. */
export async function spinHook(
  body: unknown,
  pageOf: (token: string) => Page | undefined,
  betOf: (session: GameSession) => number,
): Promise<object> {
  const address = textField(body, "launch_url");
  const page = URL.canParse(address) ? pageOf(new URL(address).hash.slice(1)) : undefined;
  if (page === undefined) throw new Refused(404, "UNKNOWN_SESSION", "launch_url is not the address of an open game.");
  const betMinor = betOf(page.session);
  const result = await page.rounds.spin(betMinor, winningGrid);
  return {
    shown: SHOWN[result.outcome],
    bet_minor: betMinor,
    ...(result.outcome === "spun" && { win_minor: result.winMinor }),
  };
}

function winningGrid(): Grid {
  for (;;) {
    const grid = spin(randomInt);
    if (winsOf(grid).length > 0) return grid;
  }
}
