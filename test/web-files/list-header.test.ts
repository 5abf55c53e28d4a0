import test from "ava";
import { sessionIn } from "../../src/adapters/connect/console/session-cookie.ts";
import { languageOf } from "../../src/adapters/rest/requests/accept-language.ts";
import { etagOf, hasCurrent } from "../../web-files/etag.ts";
import { listItems } from "../../web-files/list-header.ts";

test("of a long header with a list only the first items are read, and none of them in part", (t) => {
  t.deepEqual(listItems("a, b,c"), ["a", " b", "c"]);
  t.is(listItems("ab,".repeat(5_000)).length, 341);
  t.true(listItems("ab,".repeat(5_000)).every((item) => item === "ab"));
  t.deepEqual(listItems("a".repeat(5_000)), [""]);
});

test("the first items of long headers count as before", (t) => {
  const etag = etagOf("text");
  t.true(hasCurrent([`"x", W/${etag},${"y,".repeat(7_000)}`], etag));
  t.true(hasCurrent([`"x"`, "*"], etag));
  t.false(hasCurrent([`${"y,".repeat(7_000)}${etag}`], etag));
  t.is(languageOf(`es,${"a,".repeat(7_000)}`), "es");
  t.is(languageOf(`${"a,".repeat(7_000)}es`), "es");
});

test("a session is found among thousands of cookies, but not if it is there twice", (t) => {
  const many = "a=b;".repeat(3_000);
  const found = (cookie: string) => sessionIn({ headers: { cookie } });
  t.is(found(`${many} console_session=id ;${many}`), "id");
  t.is(found("console_session=id"), "id");
  t.is(found(`console_session=id; ${many}console_session=other`), undefined);
  t.is(found(`${many}xconsole_session=id`), undefined);
});
