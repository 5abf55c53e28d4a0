/** What pages, alerts and runbooks ask people to do is something that the service lets them do. */

import { readFileSync } from "node:fs";
import test from "ava";
import { helpOf } from "../../../console/app/pages/today/alert-help.ts";
import { ACTS, type ActName } from "../../../console/app/service/acts.ts";
import { alerts } from "../../../console/app/words/en/alerts.ts";
import { roleFor } from "../../../src/adapters/grpc/admin/roles.ts";
import { KeyAdminService } from "../../../src/gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "../../../src/gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { TransactionAdminService } from "../../../src/gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import { ALERTS } from "../../../src/ports/telemetry.ts";

const METHODS = [KeyAdminService, MerchantAdminService, TransactionAdminService].flatMap(({ methods }) => methods);

/** The words that ask for an act, in the English texts of alerts. */
const ASKED: Readonly<Record<ActName, RegExp>> = {
  resend: /\bsend the (transaction|refund) again\b/i,
  resolve: /\bclose (it|them|both) (by hand|after the horizon)\b/i,
  closeContradiction: /\bclose the contradiction\b/i,
  askBalance: /\bask the wallet for a balance\b/i,
  changeWallet: /\bchange it on the merchant's page\b/i,
  replaceKey: /\breplace the key\b/i,
};

/** The admin commands that do an act. */
const COMMANDS: Partial<Record<ActName, string>> = {
  resend: "transaction resend",
  resolve: "transaction resolve",
  closeContradiction: "transaction close-contradiction",
};

test("each act needs the role that the service demands for its call", (t) => {
  for (const [act, { rpc, role }] of Object.entries(ACTS)) {
    const method = METHODS.find(({ parent, name }) => `${parent.name}.${name}` === rpc);
    t.is(method && roleFor(method), role, act);
  }
});

test("the text of an alert asks for exactly the acts that the page checks against the reader's role", (t) => {
  const texts: Readonly<Record<string, { readonly act: string }>> = alerts.alerts.known;
  for (const alert of ALERTS) {
    const declared: readonly ActName[] = helpOf({ alert, merchant: "m" })?.acts ?? [];
    for (const act of Object.keys(ASKED) as ActName[])
      t.is(ASKED[act].test(texts[alert]?.act ?? ""), declared.includes(act), `${alert}: ${act}`);
  }
});

test("a runbook gives only the commands that help with its alert", (t) => {
  const sections = readFileSync("docs/runbooks.md", "utf8")
    .split(/^### Aggregator/m)
    .slice(1);
  const alertOf = new Map(
    ALERTS.map((alert) => [alert.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase()), alert]),
  );
  let checked = 0;
  for (const section of sections) {
    const alert = alertOf.get(section.slice(0, section.indexOf("\n")).trim());
    if (alert === undefined) continue;
    const declared: readonly ActName[] = helpOf({ alert, merchant: "m" })?.acts ?? [];
    for (const [act, command] of Object.entries(COMMANDS) as [ActName, string][])
      if (section.replaceAll(/\s+/g, " ").includes(`-- ${command}`)) {
        t.true(declared.includes(act), `${alert}: ${command}`);
        checked++;
      }
  }
  t.true(checked >= 3);
});
