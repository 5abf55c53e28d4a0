/** The commands of providers and games, on both databases. */
import { test, testOnce } from "./on-both-databases.ts";

test("provider create prints the provider's first key, and rotate-key makes a new key and revokes the others", async (t, service) => {
  const { out } = await service.admin("provider create --code KEYS --name 'Keys'");
  const [, key = ""] = /^key {2}([\w-]{43})$/m.exec(out) ?? [];
  t.is(key.length, 43);
  t.regex(out, /^keys\nname +expires_at +revoked\nkey-1 +- +false$/m);
  const rotated = await service.done("provider rotate-key --code KEYS --reason test --expires-at 2035-01-31T12:00:00Z");
  t.not(rotated.key, key);
  t.like(rotated.keys, [
    { name: "key-1", revoked: true },
    { name: "key-2", revoked: false, expires_at: "2035-01-31T12:00:00.000Z" },
  ]);
  t.is(String((await service.done("provider rotate-key --code SPORTSBOOK --reason test")).key).length, 43);
});

test("provider add-source adds a source at a position or changes an existing source, and remove-source removes a source", async (t, service) => {
  await service.done("provider create --code SOURCES");
  await service.done("provider add-source --code SOURCES --address https://a.example:443");
  await service.done("provider add-source --code SOURCES --address http://b.example:80 --deadline-ms 700 --position 1");
  const { sources } = await service.done(
    "provider add-source --code SOURCES --address https://a.example:443 --enabled false",
  );
  t.deepEqual(sources, [
    { address: "http://b.example:80", deadline_ms: 700, enabled: true, health: null },
    { address: "https://a.example:443", deadline_ms: 5000, enabled: false, health: null },
  ]);
  t.deepEqual((await service.done("provider remove-source --code SOURCES --address http://b.example:80")).sources, [
    (sources as unknown[])[1],
  ]);
  t.regex(
    (await service.admin("provider show --code SOURCES")).out,
    /^sources\naddress +deadline_ms +enabled\nhttps:\/\/a\.example:443 +5000 +false$/m,
  );
});

test("provider list prints how many sources and keys each provider has", async (t, service) => {
  await service.done("provider create --code LISTED");
  t.like(await service.done("provider set --code LISTED --name 'Listed Games' --active false --reason test"), {
    name: "Listed Games",
    active: false,
  });
  t.regex((await service.admin("provider list")).out, /^LISTED +Listed Games +false +0 +1$/m);
});

test("game import reads JSON and CSV, and prints how many games are new, changed and unchanged", async (t, service) => {
  await service.done("provider create --code IMPORT");
  const rows = ["fruits", "sevens"].map((code) => ({
    provider: "IMPORT",
    code,
    name: code,
    type: "slot",
    demo_available: true,
    tags: ["new"],
  }));
  const json = service.file("import.json", JSON.stringify(rows));
  t.is(
    (await service.admin(`game import --file ${json} --dry-run`)).out,
    "Would be done: 2 new, 0 changed, 0 as they were.\n",
  );
  t.deepEqual((await service.done("game list --provider IMPORT")).items, []);
  t.like(await service.done(`game import --file ${json}`), { created: 2, updated: 0, unchanged: 0, fault_count: 0 });
  const csv = service.file(
    "import.csv",
    'provider,code,name,type,demo_available,tags\nIMPORT,fruits,fruits,slot,true,new\nIMPORT,sevens,"Seven, seven",slot,true,new|hot\n',
  );
  t.is((await service.admin(`game import --file ${csv}`)).out, "Done: 0 new, 1 changed, 1 as they were.\n");
  t.like(await service.done("game show --provider IMPORT --code sevens"), {
    name: "Seven, seven",
    tags: ["new", "hot"],
    active: true,
    rtp: null,
  });
});

test("game import prints the number of every wrong line, changes nothing, and its exit code is 1", async (t, service) => {
  await service.done("provider create --code FAULTY");
  const csv = service.file(
    "faulty.csv",
    "provider,code,name,type\nFAULTY,good,Good,slot\nFAULTY,bad,Bad,dice\nNOBODY,bad,Bad,slot\nFAULTY,,None,slot\n",
  );
  const { code, out, err } = await service.admin(`game import --file ${csv}`);
  t.is(code, 1);
  t.regex(out, /^Nothing was changed: \d faults in /);
  const lines = err.trimEnd().split("\n");
  for (const [line, field] of [
    [3, "type"],
    [4, "provider"],
    [5, "code"],
  ] as const)
    t.true(
      lines.some((one) => one.startsWith(`${csv}:${line}: ${field}: `)),
      `${line} ${field}\n${err}`,
    );
  t.deepEqual((await service.done("game list --provider FAULTY")).items, []);
});

testOnce("game import sends a large file in pieces, and all its games are created", async (t, service) => {
  await service.done("provider create --code LARGE");
  const rows = Array.from({ length: 2_000 }, (_, i) => ({
    provider: "LARGE",
    code: `game-${i}`,
    name: `Game of the number ${i}, with a long name`,
    type: "slot",
  }));
  const json = service.file("large.json", JSON.stringify(rows, null, 1));
  t.like(await service.done(`game import --file ${json}`), { created: 2_000 });
});

test("game set changes a game, the value `none` makes a field unknown, and game list filters", async (t, service) => {
  await service.done("provider create --code SET");
  await service.done(
    `game import --file ${service.file("set.json", JSON.stringify([{ provider: "SET", code: "a", name: "A", type: "slot", rtp: 96.2, tags: ["new"] }]))}`,
  );
  const images = '{"thumb":"https://cdn.example/a.webp"}';
  t.like(
    await service.done(
      `game set --provider SET --code a --active false --jackpot true --released-at 2026-01-31 --images '${images}' --platforms mobile --names '{"pt":"Frutas"}'`,
    ),
    {
      active: false,
      jackpot: true,
      released_at: "2026-01-31T00:00:00.000Z",
      platforms: ["mobile"],
      rtp: 96.2,
      names: { pt: "Frutas" },
      images: { thumb: "https://cdn.example/a.webp", square: null, background: null },
    },
  );
  t.like(
    await service.done(
      "game set --provider SET --code a --rtp none --tags none --images none --released-at none --names none",
    ),
    {
      names: null,
      rtp: null,
      tags: null,
      images: null,
      released_at: null,
    },
  );
  const selected = await service.done("game list --provider SET --active false --type slot --q A");
  t.deepEqual(
    (selected.items as { code: string }[]).map(({ code }) => code),
    ["a"],
  );
  t.deepEqual((await service.done("game list --provider SET --active true")).items, []);
});
