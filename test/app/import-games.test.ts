import test from "ava";
import { difference } from "../../src/app/admin/import-games.ts";
import type { GameDescription } from "../../src/domain/game.ts";
import type { ProviderCode } from "../../src/domain/identifiers.ts";
import type { Game } from "../../src/ports/settings-store.ts";

const GAMES = 20_000;
/** What may happen between two turns of the event loop. */
const SLICE_MAX = 500;

const asked = { actor: "maria", role: "manager", reason: "" } as const;
const named = (n: number) => ({ provider: (n % 2 === 0 ? "ACME" : "AURORA") as ProviderCode, code: `g-${n}` });
const file: GameDescription[] = Array.from({ length: GAMES }, (_, n) => ({
  ...named(n),
  name: `New ${n}`,
  type: "slot",
  demoAvailable: true,
  active: undefined,
  details: {},
}));

/** The catalog before, of which every game touched is told. */
function catalog(touched: () => void): Game[] {
  return file.map(({ provider, code }, id) => {
    const game: Game = {
      id,
      provider,
      providerId: 1,
      code,
      name: "Old",
      type: "slot",
      demoAvailable: true,
      active: true,
      details: {},
      updatedAt: 0,
      searchText: "",
    };
    return Object.defineProperty(game, "code", {
      get: () => {
        touched();
        return code;
      },
    });
  });
}

test("a large catalog is compared in steps of at most so many games, and written in pieces of as many", (t) => {
  let touched = 0;
  const steps = difference(
    asked,
    { games: file, lines: new Map() },
    catalog(() => touched++),
    false,
  );
  let longest = 0;
  let count = 1;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    longest = Math.max(longest, touched);
    touched = 0;
    count += 1;
  }
  t.true(Math.max(longest, touched) <= SLICE_MAX);
  t.true(count >= (2 * GAMES) / SLICE_MAX, "the file's games are gone through in steps too");
  if (!step.value.ok) return t.fail();
  const { writes, audit, value } = step.value.value;
  t.like(value, { created: 0, updated: GAMES, unchanged: 0 });
  t.is(audit.length, GAMES + 1);
  const sizes = writes.map((write) => (write.kind === "games" ? write.games.length : 0));
  t.true(sizes.every((size) => size <= SLICE_MAX));
  t.is(
    sizes.reduce((sum, size) => sum + size, 0),
    GAMES,
  );
});
