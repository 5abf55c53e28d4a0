/** `npm run metrics`: writes docs/metrics.md from the definitions of the metrics. A test fails when they differ. */
import { writeFileSync } from "node:fs";
import { metricsPage } from "./page.ts";

writeFileSync("docs/metrics.md", metricsPage());
