import test from "ava";
import { type Found, violationsOf } from "../../bench/hostile/verdict.ts";

const state = { openFiles: 30, residentMib: 130, livingMib: 42 };
const answered = { answeredMs: Array.from({ length: 95 }, () => 10), failed: {}, again: 0 };
const fine: Found = {
  before: state,
  after: { openFiles: 50, residentMib: 180, livingMib: 43 },
  openFilesMost: 100,
  residentMostMib: 500,
  calls: { "another merchant": answered, "a provider": answered },
  attack: { "half-open": { opened: 5, sent: 9, ended: 0 } },
};

test("the measurement of hostile connections fails for leaked files or memory, a failed call, or a missing kind of attack", (t) => {
  const violations = (found: Partial<Found>) => violationsOf({ ...fine, ...found }, 50, 100);
  t.deepEqual(violations({}), []);
  for (const [what, found] of [
    [/open files after/, { after: { ...fine.after, openFiles: 51 } }],
    [/open files during/, { openFilesMost: 101 }],
    [/resident memory/, { after: { ...fine.after, residentMib: 181 } }],
    [/resident memory/, { after: { ...fine.after, residentMib: Number.NaN } }],
    [
      /3 calls of another merchant: no answer/,
      { calls: { ...fine.calls, "another merchant": { ...answered, failed: { "no answer": 3 } } } },
    ],
    [
      /only 89 of 100 calls of a provider/,
      { calls: { ...fine.calls, "a provider": { ...answered, answeredMs: answered.answeredMs.slice(6) } } },
    ],
    [/"half-open" did not attack/, { attack: { "half-open": { opened: 5, sent: 0, ended: 0 } } }],
    [/"slow" did not attack/, { attack: { ...fine.attack, slow: { opened: 0, sent: 0, ended: 0 } } }],
  ] as const) {
    const [violation, ...more] = violations(found);
    t.regex(violation ?? "", what);
    t.deepEqual(more, []);
  }
});
