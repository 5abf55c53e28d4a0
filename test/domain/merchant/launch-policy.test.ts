import test from "ava";
import type { FieldFault } from "../../../src/domain/errors.ts";
import {
  type Candidate,
  decideLaunch,
  isWebUrl,
  type LaunchingMerchant,
  type LaunchRequest,
  readLaunch,
} from "../../../src/domain/merchant/launch-policy.ts";
import { isCountry } from "../../../src/domain/values/country.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";

const merchant: LaunchingMerchant = {
  currency: "BRL",
  walletUrl: "https://w.example/",
  defaultLanguage: null,
  products: ["slot", "sportsbook"],
};

const candidate = (
  more: Partial<Candidate["game"]> & { provider?: Partial<Candidate["provider"]> } = {},
): Candidate => {
  const { provider, ...game } = more;
  return {
    game: { code: "fruits", type: "slot", active: true, demoAvailable: true, ...game },
    provider: { code: "ACME", active: true, sources: [{ enabled: true }], ...provider },
  };
};
const sportsbook = candidate({
  code: "sportsbook",
  type: "sportsbook",
  demoAvailable: false,
  provider: { code: "SPORTSBOOK", sources: [] },
});

const request = (fields: Readonly<Record<string, unknown>> = {}): LaunchRequest => {
  const read = readLaunch({ player_id: "u-1", game: "fruits", ...fields });
  if (!read.ok) throw new Error(JSON.stringify(read.refusal));
  return read.value;
};

const codeOf = (
  fields: Readonly<Record<string, unknown>>,
  candidates: readonly Candidate[],
  more: Partial<LaunchingMerchant> = {},
  sportsbookOpen = false,
): string => {
  const decided = decideLaunch(request(fields), { ...merchant, ...more }, candidates, sportsbookOpen);
  return decided.ok ? "OK" : decided.refusal.code;
};

const faultsOf = (fields: Readonly<Record<string, unknown>>): string[] => {
  const read = readLaunch(fields);
  return read.ok ? [] : (read.refusal.details as readonly FieldFault[]).map((fault) => fault.field);
};

test("decideLaunch refuses with the first failed check; correcting one failure after the other shows the order of the checks", (t) => {
  const inactive = candidate({
    type: "live",
    active: false,
    demoAvailable: false,
    provider: { active: false, sources: [{ enabled: false }] },
  });
  const game = (more: Parameters<typeof candidate>[0]) =>
    candidate({
      type: "live",
      demoAvailable: false,
      ...more,
      provider: { sources: [{ enabled: false }], ...more?.provider },
    });
  const request = { currency: "EUR", country: "XX", demo: true };
  const noWallet = { walletUrl: null };

  t.is(codeOf(request, [inactive], noWallet), "UNSUPPORTED_CURRENCY");
  t.is(codeOf({ ...request, currency: "USD" }, [inactive], noWallet), "CURRENCY_NOT_ENABLED");
  t.is(codeOf({ ...request, currency: "BRL" }, [inactive], noWallet), "INVALID_COUNTRY");
  t.is(codeOf({ demo: true }, [inactive], noWallet), "GAME_NOT_FOUND");
  t.is(codeOf({ demo: true }, [game({ provider: { active: false } })], noWallet), "GAME_NOT_FOUND");
  t.is(codeOf({ demo: true }, [game({}), game({ provider: { code: "OTHER" } })], noWallet), "AMBIGUOUS_GAME");
  t.is(codeOf({ demo: true }, [game({})], noWallet), "PRODUCT_NOT_ENABLED");
  t.is(codeOf({ demo: true }, [game({ type: "slot" })], noWallet), "PROVIDER_NOT_SUPPORTED");
  t.is(
    codeOf(
      { demo: true },
      [game({ type: "slot", provider: { sources: [{ enabled: false }, { enabled: true }] } })],
      noWallet,
    ),
    "LAUNCH_FAILED",
  );
  t.is(codeOf({}, [candidate({ demoAvailable: false })], noWallet), "WALLET_NOT_CONFIGURED");
  t.is(codeOf({ demo: true }, [candidate()], noWallet), "OK", "a demo needs no wallet");
  t.is(codeOf({}, [candidate({ demoAvailable: false })]), "OK");
});

test("decideLaunch: only active games of active providers make a code ambiguous, and a provider in the request decides", (t) => {
  const other = (more: Partial<Candidate["provider"]> = {}) => candidate({ provider: { code: "OTHER", ...more } });
  const decided = decideLaunch(request(), merchant, [other(), candidate()], false);
  t.deepEqual(decided, {
    ok: false,
    refusal: { code: "AMBIGUOUS_GAME", field: "provider", details: { providers: ["ACME", "OTHER"] } },
  });
  t.is(codeOf({}, [candidate(), other({ active: false })]), "OK");
  t.is(codeOf({}, [candidate(), { ...other(), game: { ...other().game, active: false } }]), "OK");
  t.is(codeOf({ provider: "OTHER" }, [candidate(), other()]), "OK");
  t.is(codeOf({ provider: "NOBODY" }, [candidate(), other()]), "GAME_NOT_FOUND");
  t.is(codeOf({ provider: "acme" }, [candidate()]), "GAME_NOT_FOUND");
  t.is(codeOf({}, []), "GAME_NOT_FOUND");
});

test("decideLaunch: the sportsbook needs no sources, has no demo, and its launch fails while it has no address", (t) => {
  t.is(codeOf({}, [sportsbook], {}, true), "OK");
  t.is(codeOf({ demo: true }, [sportsbook], {}, true), "LAUNCH_FAILED");
  t.is(codeOf({}, [sportsbook], {}, false), "LAUNCH_FAILED");
  t.is(codeOf({}, [sportsbook], { walletUrl: null }, true), "WALLET_NOT_CONFIGURED");
  t.is(codeOf({}, [sportsbook], { products: ["slot"] }, false), "PRODUCT_NOT_ENABLED");
});

test("decideLaunch fills in the defaults: currency and language of the merchant, country of the currency", (t) => {
  const decide = (fields: Readonly<Record<string, unknown>>, more: Partial<LaunchingMerchant> = {}) => {
    const decided = decideLaunch(request(fields), { ...merchant, ...more }, [candidate()], false);
    if (!decided.ok) throw new Error(decided.refusal.code);
    const { currency, country, language, demo, lobbyUrl } = decided.value;
    return [currency, country, language, demo, lobbyUrl];
  };
  t.deepEqual(decide({}), ["BRL", "BR", "pt", false, null]);
  t.deepEqual(decide({}, { defaultLanguage: "es" }), ["BRL", "BR", "es", false, null]);
  t.deepEqual(
    decide(
      { lang: "EN-us", country: "pt", currency: "brl", demo: true, lobby_url: "https://x" },
      { defaultLanguage: "es" },
    ),
    ["BRL", "PT", "en-US", true, "https://x"],
  );
  const countries = { MXN: "MX", ARS: "AR", COP: "CO", CLP: "CL", PEN: "PE", USD: "US" } as const;
  for (const [currency, country] of Object.entries(countries))
    t.deepEqual(decide({}, { currency: currency as keyof typeof countries }).slice(0, 2), [currency, country]);
});

test("decideLaunch refuses a text that is not a currency with UNSUPPORTED_CURRENCY, and a text that is not a country with INVALID_COUNTRY", (t) => {
  for (const currency of ["", "EUR", "BR", "BRLX", "brl ", "__proto__", "ßrl"])
    t.is(codeOf({ currency }, [candidate()]), "UNSUPPORTED_CURRENCY", currency);
  for (const country of ["", "B", "BRA", "XX", "UK", "EU", "XK", "AN", "br ", "ıt"])
    t.is(codeOf({ country }, [candidate()]), "INVALID_COUNTRY", country);
});

test("readLaunch lists all faults at once, unknown fields included", (t) => {
  t.deepEqual(
    faultsOf({
      x: 1,
      player_id: "",
      game: 5,
      provider: 1,
      currency: 1,
      country: {},
      lang: "pt_BR",
      demo: 0,
      lobby_url: "/lobby",
      player_ip: "203.0.113.9:80",
      device: "tablet",
      deposit_url: "javascript:x",
      history_url: 1,
      display_name: " ",
    }),
    [
      ...["x", "player_id", "game", "provider", "currency", "country", "lang", "demo", "lobby_url"],
      ...["player_ip", "device", "deposit_url", "history_url", "display_name"],
    ],
  );
  t.deepEqual(faultsOf({}), ["player_id", "game"]);
  t.deepEqual(faultsOf(JSON.parse('{"player_id":"u","game":"g","__proto__":{}}')), ["__proto__"]);
});

test("readLaunch: null counts as absent in optional fields, and as missing in required fields", (t) => {
  const nothing = { provider: null, currency: null, country: null, lang: null, demo: null, lobby_url: null };
  t.deepEqual(request(nothing), request());
  t.deepEqual(faultsOf({ player_id: null, game: null, ...nothing }), ["player_id", "game"]);
});

test("readLaunch: a player_id has 1 to 128 code points and no control characters; nothing is trimmed", (t) => {
  for (const player_id of ["u", " ", " u ", "😀".repeat(128), "é".repeat(128), "João", "\u200b"])
    t.is(request({ player_id }).playerId, player_id as PlayerId);
  for (const player_id of ["", "x".repeat(129), "😀".repeat(129), "a\u0000", "a\nb", "a\u007f", "a\u0085", "\ud800"])
    t.deepEqual(faultsOf({ player_id, game: "g" }), ["player_id"], JSON.stringify(player_id));
});

test("readLaunch: lang is pt, es or en, with or without a region, in upper or lower case", (t) => {
  for (const [lang, tag] of [
    ["pt", "pt"],
    ["PT", "pt"],
    ["pt-br", "pt-BR"],
    ["En-uS", "en-US"],
    ["es-419", "es-419"],
  ])
    t.is(request({ lang }).language, tag ?? null);
  for (const lang of ["", "fr", "pt-", "pt-B", "pt_BR", "pt-BR-x", "portuguese", "en-", " en", "eſ", 5, true])
    t.deepEqual(faultsOf({ player_id: "u", game: "g", lang }), ["lang"], String(lang));
});

test("isWebUrl accepts absolute http(s) URLs, and refuses those that could run code or mislead a reader", (t) => {
  for (const url of ["https://x", "http://x.example:8080/a?b=c#d", "HTTPS://X/", "https://xn--caf-dma.example/é"])
    t.true(isWebUrl(url), url);
  const wrong = [
    "",
    "/lobby",
    "//x",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://x",
    "https:x",
    "https://",
    "https://u:p@x",
    "https://u@x",
    "https://@x",
    " https://x",
    "https://x y",
    "https://x\n",
    "https://x\\@y",
    "httpſ://x",
    `https://x/${"y".repeat(2_048)}`,
  ];
  for (const url of wrong) t.false(isWebUrl(url), url.slice(0, 40));
});

test("isCountry accepts exactly the 249 officially assigned codes", (t) => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const assigned = letters.flatMap((a) => letters.map((b) => a + b)).filter(isCountry);
  t.is(assigned.length, 249);
  for (const code of ["BR", "MX", "AR", "CO", "CL", "PE", "US", "SS", "BQ"]) t.true(isCountry(code), code);
  for (const code of ["UK", "EU", "XK", "AN", "SU", "YU", "AC", "ZZ", "br", ""]) t.false(isCountry(code), code);
});
