import test from "ava";
import { detailsOf } from "../../src/adapters/rest/replies/reply.ts";
import { readLaunch } from "../../src/domain/merchant/launch-policy.ts";
import { FAULT_TEXTS } from "../../src/domain/texts/fault-texts.ts";
import { CURRENCIES, countryOf, scaleOf } from "../../src/domain/values/money.ts";
import { page, table } from "./markdown.ts";

const EXAMPLES: Readonly<Record<string, unknown>> = {
  player_id: "u-1",
  game: "book-of-x",
  provider: "ACME",
  currency: "BRL",
  lang: "en-US",
  country: "BR",
  demo: true,
  lobby_url: "https://shop.example/lobby",
  player_ip: "203.0.113.9",
  device: "mobile",
  deposit_url: "https://shop.example/cashier",
  history_url: "https://shop.example/history",
  display_name: "Ana",
};
const basics = page("docs/specification/basics.md");

test("docs/specification/launch.md has the fields of a launch and marks the required ones", (t) => {
  const rows = table(page("docs/specification/launch.md"), "POST /v1/game/launch");
  t.deepEqual(
    rows.map((row) => [row.field, row.type]),
    Object.entries(EXAMPLES).map(([field, value]) => [field, typeof value]),
  );
  const read = readLaunch(EXAMPLES);
  t.true(read.ok, "every documented field is known");
  t.is(read.ok && Object.keys(read.value).length, rows.length, "there is no other field");
  const empty = readLaunch({});
  t.deepEqual(
    rows
      .filter((row) => row.required === "yes")
      .map(({ field = "" }) => ({ field, rule: "required", message: FAULT_TEXTS.required(field) })),
    empty.ok ? [] : empty.refusal.details,
  );
});

test("the example of a refusal in the documents is the reply to a launch without player_id", (t) => {
  const refused = readLaunch({ game: "book-of-x" });
  for (const path of ["docs/merchant.md", "docs/specification/errors.md"]) {
    const [, example = ""] = /```json\n(\{\n {2}"success": false.*?)```/s.exec(page(path)) ?? [];
    const { error } = JSON.parse(example) as { error: { code: string; details: unknown } };
    t.deepEqual(
      { code: error.code, details: error.details },
      refused.ok ? undefined : { code: refused.refusal.code, details: detailsOf(refused.refusal, "pt") },
      path,
    );
  }
});

test("docs/specification/basics.md has every currency with its decimals and country", (t) => {
  const rows = [...basics.matchAll(/^\| ([A-Z]{3}) \| (\d) \| ([A-Z]{2}) \|$/gm)].map(([, ...row]) => row);
  t.deepEqual(
    rows,
    CURRENCIES.map((currency) => [currency, String(scaleOf(currency)), countryOf(currency)]),
  );
});
