import { type Definition, METRICS } from "../../src/adapters/telemetry/definitions.ts";
import { Metrics } from "../../src/adapters/telemetry/metrics.ts";

const INTRODUCTION = `# Metrics

\`GET /metrics\` on \`INTERNAL_HTTP_PORT\` has these metrics in Prometheus' text format. \`npm run metrics\` writes this
page from the code, and \`npm run check\` compares the two.

Names follow Prometheus' conventions: counters end with \`_total\`, and times are in seconds. Each replica counts for
itself since its start, so add up the replicas, except where the text says otherwise. A histogram has the series
\`_bucket\`, \`_sum\` and \`_count\`. So the rate of calls is \`rate(..._count[5m])\`.

With several workers (PROCESSES) the values are those of [all workers
together](specification/operations.md#ops-workers-metrics). Divide a sum by \`aggregator_processes\` to compare it with
the limit of one process.
`;

const escaped = (text: string): string => text.replaceAll("|", "\\|");

function own(): string {
  const rows = Object.entries<Definition>(METRICS).map(([name, { type, help, labels, buckets }]) => {
    const labelTexts = Object.entries(labels).map(([label, meaning]) => `\`${label}\`: ${meaning}`);
    const bucketText = buckets === undefined ? [] : [`Buckets: ${buckets.join(", ")}.`];
    const text = [help, ...labelTexts.map((one) => `${one}.`), ...bucketText].join(" ");
    return `| <a id="${name}"></a>\`${name}\` | ${type} | ${escaped(text)} |`;
  });
  return ["| metric | type | meaning |", "|---|---|---|", ...rows].join("\n");
}

function ofTheProcess(): string {
  const rows = new Metrics()
    .all()
    .filter(({ name }) => !Object.hasOwn(METRICS, name))
    .map(({ name, type, help }) => `| \`${name}\` | ${type} | ${escaped(help)} |`);
  return ["| metric | type | meaning |", "|---|---|---|", ...rows].join("\n");
}

/** The text of docs/metrics.md. */
export const metricsPage = (): string => `${INTRODUCTION}
## The service

${own()}

## The process

[prom-client](https://github.com/siimon/prom-client) gives these about Node and the process.
With several workers \`process_start_time_seconds\` is the start of their supervisor, \`process_open_fds\` is the highest
number of a worker, and \`process_max_fds\` the lowest limit.

${ofTheProcess()}
`;
