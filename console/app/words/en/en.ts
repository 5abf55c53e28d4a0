import { alerts } from "./alerts.ts";
import { faults } from "./faults.ts";
import { health } from "./health.ts";
import { reports } from "./reports.ts";
import { setUp } from "./set-up.ts";
import { shell } from "./shell.ts";
import { stuck } from "./stuck.ts";
import { today } from "./today.ts";
import { transactions } from "./transactions.ts";

export const en = {
  ...shell,
  ...transactions,
  ...reports,
  ...setUp,
  ...faults,
  ...health,
  ...today,
  ...stuck,
  ...alerts,
};

export type Words = typeof en;
