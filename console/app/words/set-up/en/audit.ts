import { actions, fields } from "../../gen/audit-en.ts";

export const audit = {
  title: "Audit log",
  lead: "Who did what, when and why. Entries are never changed or deleted.",
  none: "No entry here",
  action: "Action",
  changes: "What changed",
  field: "Field",
  before: "Before",
  after: "After",
  nothing: "nothing",
  actions,
  fields,
  all: "All entries",
  any: "All actions",
  yes: "Yes",
  no: "No",
  statusOf: (id: string) => `State of ${id}`,
  reads: "Also reads and sign-ins",
  recordHint: "A kind and a code: merchant shop-brl",
  withKind: "A record is a kind and a code. Look for:",
  whole: "Show the whole values",
};
