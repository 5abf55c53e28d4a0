import test from "ava";
import { freeKeyName, newKeyFaults } from "../../../src/domain/access/api-key.ts";
import { mayAct, ROLES } from "../../../src/domain/access/role.ts";

const fields = (faults: readonly { readonly field: string }[]) => faults.map(({ field }) => field);

test("a role may do everything that the roles before it may", (t) => {
  for (const [i, role] of ROLES.entries())
    for (const [j, needed] of ROLES.entries()) t.is(mayAct(role, needed), i >= j, `${role} ${needed}`);
});

test("a new key must have a name that no other key has, and must end in the future", (t) => {
  const others = [{ name: "key-1" }, { name: "live" }];
  t.is(freeKeyName(others), "key-2");
  t.deepEqual(newKeyFaults("key-2", 11, others, 10), []);
  t.deepEqual(fields(newKeyFaults("live", 10, others, 10)), ["name", "expires_at"]);
  t.deepEqual(fields(newKeyFaults("ADMIN_KEY", null, [], 10)), ["name"]);
});
