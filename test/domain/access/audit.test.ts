import test from "ava";
import fc from "fast-check";
import { changedFields, isSameJson } from "../../../src/domain/access/audit.ts";

test("the changed fields of a record are found, whatever the order of an object's keys", (t) => {
  t.deepEqual(
    changedFields({ a: 1, b: { x: [1, 2], y: null }, c: "c" }, { a: 1, b: { y: null, x: [2, 1] }, c: null }),
    [
      { field: "b", from: { x: [1, 2], y: null }, to: { y: null, x: [2, 1] } },
      { field: "c", from: "c", to: null },
    ],
  );
  t.deepEqual(changedFields(undefined, { a: null, b: [], c: {}, d: false, e: "", f: [null] }), [
    { field: "d", to: false },
    { field: "e", to: "" },
    { field: "f", to: [null] },
  ]);
  fc.assert(fc.property(fc.jsonValue(), (value) => t.true(isSameJson(value, JSON.parse(JSON.stringify(value))))));
  for (const [a, b] of [
    [{}, []],
    [{ a: undefined }, { b: undefined }],
    [null, {}],
    [[1], [1, 2]],
  ])
    t.false(isSameJson(a, b));
});
