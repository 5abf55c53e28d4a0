import { connect } from "node:net";
import test from "ava";
import { ERROR_ROWS } from "../../../../contract/errors/errors.ts";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { languageOf } from "../../../../src/adapters/rest/requests/accept-language.ts";
import { ERRORS } from "../../../../src/domain/errors.ts";
import { FAULT_TEXTS } from "../../../../src/domain/texts/fault-texts.ts";
import { LANGUAGES, type Language, type Texts } from "../../../../src/domain/values/language.ts";
import { errorOf } from "../../../../testbed/callers/rest-server.ts";
import { startStocked } from "../stocked-api.ts";

/** Accept-Language headers, each with the language of the reply. */
const headerLanguages: readonly (readonly [header: string | undefined, language: Language])[] = [
  [undefined, "pt"],
  ["", "pt"],
  ["en", "en"],
  ["EN", "en"],
  ["es-419", "es"],
  ["pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt"],
  ["de,en;q=0.3,es;q=0.8", "es"],
  ["de, fr;q=0.9", "pt"],
  ["en;q=0.5, es;q=0.5", "en"],
  ["es;q=0.5, en;q=0.5", "es"],
  ["es ; q=0.9 , en ; q = 1.000", "en"],
  ["*", "pt"],
  ["pt;q=0, *", "es"],
  ["pt;q=0, es;q=0, *;q=0.1", "en"],
  ["*, en;q=0.9", "pt"],
  ["es, *;q=0.5", "es"],
  ["pt;q=0", "pt"],
  ["pt;q=0, en;q=0", "pt"],
  ["en;q=0.001", "en"],
  ["es-MX;q=0, es", "es"],
  ["en-US, en;q=0.2, es;q=0.9", "en"],
  ["en;q=2, es", "es"],
  ["en;q=0.1234, es;q=0.1", "es"],
  ["english, es_MX, ;;, en;level=1", "pt"],
  [`${"xx,".repeat(5_000)}en`, "en"],
];

test("the language is the preferred one of Accept-Language, and Portuguese if the header accepts none of the three languages", (t) => {
  for (const [header, language] of headerLanguages) {
    t.is(languageOf(header), language, header);
    t.is(languageOf(header), language, `${header}, asked again`);
  }
});

test("every text exists in each language, and the languages' texts differ", (t) => {
  const filled = (text: Texts | ((...values: never[]) => Texts)): Texts =>
    typeof text === "function" ? (text as (...values: unknown[]) => Texts)("field", ["a", "b"], 9) : text;
  const all = [
    ...ERROR_ROWS.flatMap(([, { text }]) => text ?? []),
    ...ERROR_ROWS.flatMap(([, { console }]) => console ?? []),
    ...Object.values(SUCCESS_TEXTS),
    ...Object.values(FAULT_TEXTS).map(filled),
  ];
  t.true(all.length > 60);
  for (const texts of all) {
    t.deepEqual(Object.keys(texts), [...LANGUAGES]);
    t.true(
      LANGUAGES.every((language) => /^\S.*\.$/.test(texts[language])),
      JSON.stringify(texts),
    );
    t.is(new Set(Object.values(texts)).size, 3, JSON.stringify(texts));
  }
});

const merchant = { target: "/v1/merchant" };

test("a success message is in the caller's language, and the reply has the headers for caches", async (t) => {
  const rest = await startStocked(t);
  for (const [header, language] of [...headerLanguages.slice(2, 9), ["fr", "pt"] as const]) {
    const reply = await rest.send({ ...merchant, headers: { "Accept-Language": header ?? null } });
    t.is((JSON.parse(reply.body) as { message: string }).message, SUCCESS_TEXTS.merchant[language], header);
    t.like(reply.headers, { "content-language": language, vary: "Accept-Language" });
  }
});

test("several lines of Accept-Language are read as one list", async (t) => {
  const rest = await startStocked(t);
  const reply = await rest.send({ ...merchant, headers: { "Accept-Language": ["de", "es;q=0.2", "en;q=0.3"] } });
  t.is(reply.headers["content-language"], "en");
});

test("a refusal is in the caller's language: both messages and the faults", async (t) => {
  const rest = await startStocked(t);
  for (const language of LANGUAGES) {
    const headers = { "Accept-Language": language };
    for (const [parts, code] of [
      [{ target: "/v1/none" }, "NOT_FOUND"],
      [{ ...merchant, signature: "0".repeat(64) }, "INVALID_SIGNATURE"],
    ] as const) {
      const reply = await rest.send({ ...parts, headers });
      const { message, error } = JSON.parse(reply.body) as { message: string; error: { message: string } };
      t.deepEqual([message, error.message], [ERRORS[code].text[language], ERRORS[code].text[language]]);
      t.like(reply.headers, { "content-language": language, vary: "Accept-Language" });
    }
    const many = Array.from({ length: 60 }, (_, i) => `u${i}=1`).join("&");
    const { details } = errorOf(await rest.send({ target: `/v1/merchant?${many}`, headers }));
    const faults = details as readonly { readonly message: string }[];
    t.is(faults[0]?.message, FAULT_TEXTS.unknownParameter[language]);
    t.is(faults.at(-1)?.message, FAULT_TEXTS.more(10)[language]);
  }
});

test("the ETag of a catalog page differs between languages, and a 304 has the language headers too", async (t) => {
  const rest = await startStocked(t);
  const games = (headers: Record<string, string>) => rest.send({ target: "/v1/games", headers });
  const tags = new Map<string, string>();
  for (const language of LANGUAGES)
    tags.set(language, (await games({ "Accept-Language": language })).headers.etag ?? "");
  t.is(new Set(tags.values()).size, 3);
  const same = await games({ "Accept-Language": "es", "If-None-Match": tags.get("es") ?? "" });
  t.is(same.status, 304);
  t.like(same.headers, { "content-language": "es", vary: "Accept-Language" });
  t.is((await games({ "Accept-Language": "en", "If-None-Match": tags.get("es") ?? "" })).status, 200);
});

test("a streamed report is in the caller's language", async (t) => {
  const rest = await startStocked(t);
  for (const language of LANGUAGES) {
    const target = "/v1/reports/ggr?from=2026-01-01&to=2026-01-02";
    const reply = await rest.send({ target, headers: { "Accept-Language": language } });
    t.is((JSON.parse(reply.body) as { message: string }).message, SUCCESS_TEXTS.ggr[language]);
    t.is(reply.headers["content-language"], language);
  }
});

test("replies to unsigned paths and broken requests are in the caller's language, if it can be read", async (t) => {
  const rest = await startStocked(t);
  const rawReply = (text: string) =>
    new Promise<string>((resolve) => {
      let reply = "";
      const socket = connect(rest.port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => void (reply += chunk)).on("close", () => resolve(reply));
    });
  const unknown = await rawReply("GET /none HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\nConnection: close\r\n\r\n");
  t.true(unknown.includes(ERRORS.NOT_FOUND.text.en));
  const twoHosts = await rawReply("GET /none HTTP/1.1\r\nHost: x\r\nHost: y\r\nAccept-Language: es\r\n\r\n");
  t.true(twoHosts.includes(ERRORS.BAD_REQUEST.text.es));
  t.regex(twoHosts, /\r\nContent-Language: es\r\n/);
  const noHttp = await rawReply("hello\r\n\r\n");
  t.true(noHttp.includes(ERRORS.BAD_REQUEST.text.pt));
  t.regex(noHttp, /\r\nContent-Language: pt\r\n/);
});
