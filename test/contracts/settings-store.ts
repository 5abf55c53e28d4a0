import type { TestFn } from "ava";
import type { PlainFields } from "../../contract/merchants/fields.ts";
import { PLAIN_DEFAULTS, PLAIN_FIELDS } from "../../src/domain/merchant/plain-fields.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import type {
  Brand,
  Game,
  GamePosition,
  GameSlice,
  Merchant,
  ProviderRecord,
  SettingsStore,
  SettingsWrite,
} from "../../src/ports/settings-store.ts";

const brand: Brand = {
  code: "house",
  name: "House é",
  theme: "mint-carbon",
  layout: "sidebar",
  settings: { a: [1, null] },
  allowedOrigins: ["https://a.example"],
};
/** Each plain field with a value that is not its default. */
const plain = Object.fromEntries(
  PLAIN_FIELDS.map(({ name, property, type }) => [property, type === "flag" || `é'\\ ${name}`]),
) as unknown as PlainFields;
const merchant: Omit<Merchant, "id"> = {
  ...plain,
  defaultLanguage: "es",
  jurisdiction: "AR-B",
  code: "casa-br",
  currency: "BRL",
  brand: "house",
  products: ["slot", "live"],
  ipList: ["10.0.0.0/8", "2001:db8::1"],
  secret: "sk_é'\\x",
  secretVersion: 1,
  previousSecret: "sk_old",
  rotationEndsAt: 1_900_000_000_000,
  limits: { launchRate: 0.5, walletConcurrency: 8 },
};
const provider: ProviderRecord = {
  code: "ACME" as ProviderCode,
  name: "Acme",
  active: true,
  sources: [
    { address: "https://b.example:443", deadlineMs: 5_000, enabled: true },
    { address: "http://a.example:80", deadlineMs: 1, enabled: false },
  ],
  keys: [
    { name: "first", hash: "0a".repeat(32), expiresAt: null, revoked: false },
    { name: "second", hash: "ff".repeat(32), expiresAt: 1_767_225_600_000, revoked: true },
  ],
};
const games: Extract<SettingsWrite, { readonly kind: "games" }>["games"] = [
  {
    code: "fruits",
    name: "Fruits",
    type: "slot",
    demoAvailable: true,
    active: true,
    details: { tags: ["x"], rtp: 96.5 },
  },
  { code: "Fruits", name: "Fruits 2", type: "live", demoAvailable: false, active: false, details: {} },
];

/** Every game that was written after epoch `since`, read in slices. */
async function gamesSince(store: SettingsStore, since: bigint, limit = 100): Promise<Game[]> {
  const games: Game[] = [];
  for (let after: GamePosition | null = { epoch: since, id: Number.MAX_SAFE_INTEGER }; after !== null; ) {
    const slice: GameSlice = await store.games(after, (await store.epoch()).epoch, limit);
    games.push(...slice.games);
    after = slice.next;
  }
  return games;
}

/** The contract of ports/settings-store.ts, for every implementation. */
export function settingsStoreContract(test: TestFn, name: string, create: () => Promise<SettingsStore>): void {
  test(`${name}: a new store has only the sportsbook's provider and game`, async (t) => {
    const store = await create();
    const { epoch, brands, merchants, providers, games: changes } = await store.load(0n);
    const games = await gamesSince(store, 0n);
    t.deepEqual(
      changes.map(({ count }) => count),
      [1],
    );
    t.true(epoch > 0n);
    t.deepEqual([brands, merchants], [[], []]);
    t.is(providers.length, 1);
    t.like(providers[0], { code: "SPORTSBOOK" as ProviderCode, active: true, sources: [], keys: [] });
    t.is(games.length, 1);
    t.like(games[0], {
      code: "sportsbook",
      provider: "SPORTSBOOK" as ProviderCode,
      type: "sportsbook",
      demoAvailable: false,
      active: true,
    });
    t.is(games[0]?.providerId, providers[0]?.id);
  });

  test(`${name}: every saved field is loaded as it was saved`, async (t) => {
    const store = await create();
    await store.save({ kind: "brand", brand });
    await store.save({ kind: "merchant", merchant });
    await store.save({ kind: "provider", provider });
    await store.save({ kind: "games", provider: provider.code, games });
    const loaded = await store.load(0n);
    t.deepEqual(loaded.brands, [brand]);
    t.deepEqual(loaded.merchants, [{ ...merchant, id: loaded.merchants[0]?.id ?? 0 }]);
    const acme = loaded.providers.find((one) => one.code === "ACME");
    t.deepEqual(acme, {
      ...provider,
      id: acme?.id ?? 0,
      activeChangedAt: acme?.activeChangedAt ?? 0,
      endsRoundsSince: null,
    });
    t.deepEqual(loaded.games.at(-1), { epoch: loaded.epoch, count: games.length });
    const all = await gamesSince(store, 0n);
    const stored = all.filter((game) => game.provider === "ACME");
    t.deepEqual(
      stored.map(({ id, updatedAt, providerId, provider: _, searchText, ...game }) => game),
      [...games],
    );
    t.deepEqual(
      stored.map((game) => game.searchText),
      ["FRUITS\nFRUITS", "FRUITS\nFRUITS 2"],
    );
    t.true(stored.every((game) => game.providerId === acme?.id && game.updatedAt > 1_700_000_000_000));
    t.is(new Set(all.map((game) => game.id)).size, 3);
  });

  test(`${name}: each write raises the epoch, and a load returns only what was written after the given epoch`, async (t) => {
    const store = await create();
    await store.save({ kind: "merchant", merchant });
    const before = (await store.epoch()).epoch;
    const { now, ...nothing } = await store.load(before);
    t.true(Math.abs((await store.epoch()).now - now) < 60_000);
    t.deepEqual(nothing, {
      epoch: before,
      brands: [],
      merchants: [],
      providers: [],
      games: [],
      adminKeys: [],
    });
    await store.save({ kind: "provider", provider });
    t.true((await store.epoch()).epoch > before);
    const changes = await store.load(before);
    t.is(changes.epoch, (await store.epoch()).epoch);
    t.deepEqual(
      changes.providers.map((one) => one.code),
      [provider.code],
    );
    t.deepEqual([changes.merchants, changes.games, changes.brands], [[], [], []]);
  });

  test(`${name}: a second save with the same code replaces the record and its lists, and keeps the id`, async (t) => {
    const store = await create();
    for (const write of [
      { kind: "merchant", merchant },
      { kind: "provider", provider },
      { kind: "games", provider: provider.code, games },
      { kind: "brand", brand },
    ] as const)
      await store.save(write);
    const first = { ...(await store.load(0n)), games: await gamesSince(store, 0n) };
    const rotated = {
      ...merchant,
      ...PLAIN_DEFAULTS,
      secret: "sk_new",
      secretVersion: 2,
      previousSecret: null,
      rotationEndsAt: null,
      limits: {},
      products: [],
      ipList: [],
      enabled: false,
    };
    await store.save({ kind: "merchant", merchant: rotated });
    const lessProvider = {
      ...provider,
      active: false,
      sources: provider.sources.slice(1),
      keys: provider.keys.slice(0, 1),
    };
    await store.save({ kind: "provider", provider: lessProvider });
    await store.save({
      kind: "games",
      provider: provider.code,
      games: [{ ...(games[0] as (typeof games)[number]), name: "Fruits Deluxe", active: false }],
    });
    await store.save({ kind: "brand", brand: { ...brand, theme: "gold-navy" } });

    const { merchants, providers, brands } = await store.load(0n);
    const stored = await gamesSince(store, 0n);
    t.deepEqual(merchants, [{ ...rotated, id: first.merchants[0]?.id ?? 0 }]);
    const acme = providers.find((one) => one.code === "ACME");
    t.deepEqual(acme, {
      ...lessProvider,
      id: first.providers.find((one) => one.code === "ACME")?.id ?? 0,
      activeChangedAt: acme?.activeChangedAt ?? 0,
      endsRoundsSince: null,
    });
    const fruits = (list: typeof stored) => list.find((game) => game.code === "fruits");
    t.like(fruits(stored), { id: fruits(first.games)?.id ?? 0, name: "Fruits Deluxe", active: false });
    t.is(stored.filter((game) => game.provider === "ACME").length, 2);
    t.deepEqual(brands, [{ ...brand, theme: "gold-navy" }]);
  });

  test(`${name}: changed games are read in slices in the order of their last writes, and a game that is written again is read only with its new write`, async (t) => {
    const store = await create();
    await store.save({ kind: "provider", provider });
    const named = (codes: readonly string[]) =>
      codes.map((code) => ({ ...(games[0] as (typeof games)[number]), code }));
    const before = (await store.epoch()).epoch;
    await store.save({ kind: "games", provider: provider.code, games: named(["a", "b", "c", "d", "e"]) });
    await store.save({ kind: "games", provider: provider.code, games: named(["f"]) });
    await store.save({ kind: "games", provider: provider.code, games: named(["b"]) });
    t.deepEqual(
      (await store.load(before)).games.toSorted((a, b) => Number(a.epoch - b.epoch)),
      [4, 1, 1].map((count, i) => ({ epoch: before + BigInt(i + 1), count })),
    );
    for (const limit of [1, 2, 4, 5, 6, 7]) {
      const codes = (await gamesSince(store, before, limit)).map(({ code }) => code);
      t.deepEqual(codes, ["a", "c", "d", "e", "f", "b"], `${limit} at a time`);
    }
    const one = await store.games({ epoch: before + 1n, id: 0 }, before + 1n, 10);
    t.deepEqual([one.games.length, one.next], [4, null], "of one write alone");
  });

  test(`${name}: the store records when a provider was activated or deactivated; other changes of the provider do not change this time`, async (t) => {
    const store = await create();
    const saved = async (more: Partial<ProviderRecord>) => {
      await store.save({ kind: "provider", provider: { ...provider, ...more } });
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (await store.load(0n)).providers.find((one) => one.code === "ACME")?.activeChangedAt ?? 0;
    };
    const made = await saved({});
    t.true(made > 1_700_000_000_000);
    t.is(await saved({ name: "Acme 2", keys: [] }), made);
    const gone = await saved({ active: false });
    t.true(gone > made);
    t.is(await saved({ active: false, sources: [] }), gone);
    t.true((await saved({})) > gone);
  });

  test(`${name}: all concurrent writes succeed, and a load from the epoch before them returns them all`, async (t) => {
    const store = await create();
    const before = (await store.epoch()).epoch;
    const codes = Array.from({ length: 8 }, (_, n) => `m-${n}`);
    await Promise.all(codes.map((code) => store.save({ kind: "merchant", merchant: { ...merchant, code } })));
    t.is((await store.epoch()).epoch, before + 8n);
    const { merchants } = await store.load(before);
    t.deepEqual(merchants.map((one) => one.code).sort(), codes);
    t.is(new Set(merchants.map((one) => one.id)).size, 8);
    t.true(merchants.every((one) => one.secret === merchant.secret));
  });

  test(`${name}: all admin keys are loaded, and a write replaces the key with the same hash`, async (t) => {
    const store = await create();
    const key = {
      name: "ops",
      role: "manager",
      hash: "0b".repeat(32),
      expiresAt: 1_767_225_600_000,
      revoked: false,
    } as const;
    const other = { name: "eyes", role: "viewer", hash: "0c".repeat(32), expiresAt: null, revoked: false } as const;
    await store.save({ kind: "adminKey", key });
    await store.save({ kind: "adminKey", key: other });
    const before = (await store.epoch()).epoch;
    await store.save({ kind: "adminKey", key: { ...key, revoked: true } });
    const { adminKeys, epoch, providers } = await store.load(before);
    t.deepEqual(adminKeys, [{ ...key, revoked: true }, other]);
    t.is(epoch, before + 1n);
    t.deepEqual(providers, []);
  });

  test(`${name}: a write of games of an unknown provider is refused as a whole`, async (t) => {
    const store = await create();
    const before = (await store.epoch()).epoch;
    await t.throwsAsync(store.save({ kind: "games", provider: "NOBODY" as ProviderCode, games }), {
      message: /NOBODY/,
    });
    t.is((await store.epoch()).epoch, before);
  });
}
