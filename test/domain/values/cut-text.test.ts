import test from "ava";
import { cutText } from "../../../src/domain/values/cut-text.ts";

test("a text is cut to bytes of UTF-8, never inside a character", (t) => {
  t.is(cutText("abc", 3), "abc");
  t.is(cutText("abcd", 3), "abc");
  t.is(cutText("añb", 3), "añ");
  t.is(cutText("aññ", 4), "añ");
  t.is(cutText("", 3), "");
});

test("what is cut inside a surrogate pair, or was malformed before, becomes well-formed and fits", (t) => {
  for (const max of [1, 2, 3, 4, 5, 6]) {
    const cut = cutText("a😀\ud800b", max);
    t.true(cut.isWellFormed(), `${max}`);
    t.true(Buffer.byteLength(cut) <= max, `${max} ${cut}`);
  }
});
