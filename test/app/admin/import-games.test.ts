import test from "ava";
import { difference } from "../../../src/app/admin/import-games.ts";
import type { GameDescription } from "../../../src/domain/catalog/game.ts";
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
  t.deepEqual(value, { created: 2, updated: 1, unchanged: 1, faults: [], faultCount: 0 });
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
