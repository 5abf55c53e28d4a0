import test from "ava";
import { missingPrograms } from "./monitoring.ts";

const missing = missingPrograms();
if (missing.length > 0) console.error(`skipped: this machine has no ${missing.join(", ")}`);

/** A test that needs Prometheus and its exporters. Without these programs it is skipped. */
export const withPrometheus = missing.length === 0 ? test.serial : test.serial.skip;
