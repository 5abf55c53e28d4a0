import { actions, fields } from "../../gen/audit-en.ts";

export const audit = {
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
