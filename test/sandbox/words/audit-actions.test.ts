import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "ava";
import { en } from "../../../console/app/words/set-up/en/en.ts";
import { es } from "../../../console/app/words/set-up/es/es.ts";
import { pt } from "../../../console/app/words/set-up/pt/pt.ts";
import { isChange } from "../../../src/domain/access/audit.ts";

const NOUNS = "alert|brand|console|game|key|merchant|provider|report|round|transaction";

/** The actions that the use cases write to the audit log. */
function auditedActions(): string[] {
  const files = readdirSync("src/app", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const source = files.map((file) => readFileSync(join("src/app", file), "utf8")).join("\n");
  return [...new Set([...source.matchAll(new RegExp(`"((?:${NOUNS}) [a-z-]+)"`, "g"))].map((match) => match[1] ?? ""))];
}

for (const [language, { audit }] of Object.entries({ en, es, pt })) {
  test(`${language}: every action that the service audits has a sentence, with the record's name at most once`, (t) => {
    const actions = auditedActions();
    t.true(actions.length >= 30, String(actions.length));
    t.deepEqual(
      actions.filter((action) => audit.actions[action] === undefined),
      [],
    );
    for (const [action, text] of Object.entries(audit.actions)) t.true(text.split("{}").length <= 2, action);
  });

  test(`${language}: no sentence is about an action that the service does not audit`, (t) => {
    const actions = auditedActions();
    const known = Object.keys(audit.actions).map((key) => key.split(" ").slice(0, 2).join(" "));
    t.deepEqual(
      known.filter((action) => !actions.includes(action)),
      [],
    );
  });
}

test("the audit log takes as reads exactly the actions whose sentence tells of a read, a question or a sign-in", (t) => {
  const isRead = (action: string): boolean =>
    /^(asked|listed|looked|read|searched|signed) /.test(en.audit.actions[action] ?? "");
  const actions = auditedActions();
  t.deepEqual(actions.filter((action) => !isChange(action)).sort(), actions.filter(isRead).sort());
});
