import test from "ava";
import { difference } from "../../../src/app/admin/import-games.ts";
import type { GameDescription } from "../../../src/domain/catalog/game.ts";
import {
  bothPreviews,
  NOTHING,
  type PreviewedGame,
  previewOf,
  withMissing,
} from "../../../src/domain/catalog/import-preview.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { Game } from "../../../src/ports/settings-store.ts";

const author = { actor: "maria", role: "manager", reason: "" } as const;
const described = (code: string, more: Partial<GameDescription> = {}): GameDescription => ({
  provider: "ACME" as ProviderCode,
  code,
  name: `New ${code}`,
  type: "slot",
  demoAvailable: true,
  active: undefined,
  details: {},
  ...more,
});
const stored = (code: string, more: Partial<Game> = {}): Game => ({
  id: 1,
  provider: "ACME" as ProviderCode,
  providerId: 1,
  code,
  name: "Old",
  type: "slot",
  demoAvailable: true,
  active: true,
  details: {},
  updatedAt: 0,
  searchText: "",
  ...more,
});

test("only new and changed games are written, the games of one provider together; each changed game and the whole import have an audit entry", (t) => {
  const games = [
    described("a"),
    described("b"),
    described("c"),
    described("a", { provider: "AURORA" as ProviderCode }),
  ];
  const found = [stored("a", { active: false }), stored("b", { name: "New b" }), stored("x")];
  const made = difference(author, { games, lines: new Map() }, found, false);
  if (!made.ok) return t.fail();
  const { writes, audit, value } = made.value;
  t.deepEqual(value, { created: 2, updated: 1, unchanged: 1, faults: [], faultCount: 0, preview: NOTHING });
  t.deepEqual(
    writes.map((write) =>
      write.kind === "games" ? [write.provider, write.games.map(({ code, active }) => [code, active])] : [],
    ),
    [
      [
        "ACME",
        [
          ["a", false],
          ["c", true],
        ],
      ],
      ["AURORA", [["a", true]]],
    ],
  );
  t.deepEqual(
    audit.map(({ target }) => target),
    ["game ACME/a", "games"],
  );
});

test("if another change has set a game's type meanwhile, the game is listed as a fault and no game of its batch is written", (t) => {
  const lines = new Map([["ACME/b", 7]]);
  const made = difference(
    author,
    { games: [described("a"), described("b")], lines },
    [stored("b", { type: "live" })],
    false,
  );
  if (!made.ok) return t.fail();
  t.deepEqual([made.value.writes, made.value.audit], [[], []]);
  t.like(made.value.value, { created: 0, faultCount: 1 });
  t.like(made.value.value.faults[0], { line: 7, field: "type" });
});

test("a dry run names each new game, and each changed game with its old and new values", (t) => {
  const games = [described("a"), described("b", { active: false }), described("c"), described("d")];
  const found = [stored("a", { demoAvailable: false }), stored("b", { name: "New b" }), stored("d", { name: "New d" })];
  const made = difference(author, { games, lines: new Map() }, found, true);
  if (!made.ok) return t.fail();
  const { writes, audit, value } = made.value;
  t.deepEqual([writes, audit], [[], []]);
  const { created, updated, deactivated } = value.preview;
  t.deepEqual(created, [{ provider: "ACME", code: "c", name: "New c", changes: [] }]);
  t.deepEqual(
    updated.map(({ code, changes }) => [code, changes]),
    [
      ["b", [{ field: "active", from: true, to: false }]],
      [
        "a",
        [
          { field: "name", from: "Old", to: "New a" },
          { field: "demo_available", from: false, to: true },
        ],
      ],
    ],
    "a game that becomes inactive comes first",
  );
  t.is(deactivated, 1);
});

test("a preview of two parts has the first 500 games of each kind, and the exact number of games that become inactive", (t) => {
  const games = (from: number, active: boolean): PreviewedGame[] =>
    Array.from({ length: 400 }, (_, i) => ({
      provider: "ACME",
      code: `game-${from + i}`,
      name: "x",
      changes: [{ field: "active", from: !active, to: active }],
    }));
  const both = bothPreviews(previewOf(games(0, true), games(0, true)), previewOf(games(400, true), games(400, false)));
  t.is(both.created.length, 500);
  t.is(both.created.at(-1)?.code, "game-499");
  t.is(both.updated.length, 500);
  t.deepEqual([both.updated[0]?.code, both.updated[400]?.code], ["game-400", "game-0"]);
  t.is(both.deactivated, 400);
});

test("the active games of the file's providers that the file does not have are named, and no others", (t) => {
  const catalog = [
    stored("a"),
    stored("b"),
    stored("c", { active: false }),
    stored("d", { provider: "NOVA" as ProviderCode }),
  ];
  const { missing, missingCount } = withMissing(NOTHING, [described("a")], catalog);
  t.deepEqual(missing, [{ provider: "ACME", code: "b", name: "Old", changes: [] }]);
  t.is(missingCount, 1);
  t.deepEqual(withMissing(NOTHING, [], catalog), NOTHING);
});
