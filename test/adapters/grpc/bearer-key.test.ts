import test from "ava";
import { bearerKey } from "../../../src/adapters/grpc/server/caller.ts";

test("the scheme has any case, and one or more spaces come after it", (t) => {
  for (const header of ["Bearer k-1", "bearer k-1", "BEARER k-1", "Bearer  k-1", "Bearer     k-1"])
    t.is(bearerKey(header), "k-1", header);
});

test("a header with no key, two keys or another scheme has no key", (t) => {
  const wrong = [
    null,
    "",
    "Bearer",
    "Bearer ",
    "k-1",
    "Basic k-1",
    "Bearer\tk-1",
    "Bearer k-1 k-2",
    "Bearer k-1, Bearer k-2",
  ];
  for (const header of wrong) t.is(bearerKey(header), undefined, String(header));
  t.is(bearerKey(`Bearer ${"x".repeat(257)}`), undefined);
});
