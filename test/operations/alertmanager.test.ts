/** The routing of alerts in deploy/alertmanager/: read by amtool, and by a real Alertmanager that delivers alerts. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test, { type ExecutionContext } from "ava";
import { PROGRAM_ENV, programOf } from "../../testbed/programs/operations-program.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import { RULES, until } from "./monitoring.ts";

const CONFIGURATION = "deploy/alertmanager/alertmanager.yml";
const amtool = programOf("amtool");
const alertmanager = programOf("prometheus-alertmanager");
const missing = amtool === undefined || alertmanager === undefined;
if (missing) console.error("skipped: this machine has no prometheus-alertmanager with amtool");
const withAlertmanager = missing ? test.serial.skip : test.serial;

/** The severities of the rules. */
const severities = [...new Set(readFileSync(RULES, "utf8").match(/(?<=severity: )\w+/g))].toSorted();

const ask = (...args: readonly string[]): string =>
  execFileSync(amtool ?? "", args, { env: PROGRAM_ENV, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

withAlertmanager("amtool accepts the configuration, and each severity of the rules has a receiver of its own", (t) => {
  t.regex(ask("check-config", CONFIGURATION), /SUCCESS/);
  const receiverOf = (severity: string) =>
    ask("config", "routes", "test", "--config.file", CONFIGURATION, `severity=${severity}`);
  t.deepEqual(severities, ["page", "ticket", "watchdog"]);
  for (const severity of severities) t.is(receiverOf(severity), severity);
  t.is(receiverOf("another"), "ticket", "no alert is lost");
});

/**
 * Debian's Alertmanager looks for its templates in /usr/share, and an unpacked one has them elsewhere. So it gets a
 * /usr/share of its own, which nothing else sees. $0 is the program.
 */
const WITH_TEMPLATES = `mount -t tmpfs none /usr/share && mkdir /usr/share/prometheus &&
  ln -s "\${0%/bin/*}/share/prometheus/alertmanager" /usr/share/prometheus/alertmanager && exec "$0" "$@"`;

/** Receives Alertmanager's messages. Resolves to its address, and to the alerts that each receiver has got. */
async function startReceiver(t: ExecutionContext) {
  const got = new Map<string, string[]>();
  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request)) as {
      receiver: string;
      alerts: { labels: { alertname: string } }[];
    };
    const names = message.alerts.map(({ labels }) => labels.alertname);
    got.set(message.receiver, [...(got.get(message.receiver) ?? []), ...names]);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

withAlertmanager(
  "Alertmanager delivers each severity to its receiver, and repeats the watchdog every minute",
  async (t) => {
    t.timeout(150_000);
    if (process.getuid?.() !== 0 || spawnSync("unshare", ["--mount", "true"]).status !== 0) {
      t.log("skipped: an own /usr/share for Alertmanager needs root and the program unshare");
      return t.pass();
    }
    const folder = mkdtempSync(join(tmpdir(), "alertmanager-"));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const { got, url } = await startReceiver(t);
    const configuration = join(folder, "alertmanager.yml");
    const original = readFileSync(CONFIGURATION, "utf8");
    t.is(original.match(/http:\/\/fill-in-\w+\.invalid\//g)?.length, 3, "each receiver is marked");
    writeFileSync(
      configuration,
      original.replaceAll(/http:\/\/fill-in-\w+\.invalid\//g, url).replaceAll(/group_wait: \w+/g, "group_wait: 1s"),
    );
    const port = await freePort();
    const args = [
      `--config.file=${configuration}`,
      `--storage.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ];
    const child = spawn("unshare", ["--mount", "sh", "-c", WITH_TEMPLATES, alertmanager ?? "", ...args], {
      env: PROGRAM_ENV,
      stdio: "ignore",
    });
    t.teardown(() => child.kill("SIGKILL"));
    const api = `http://127.0.0.1:${port}/api/v2`;
    await until("Alertmanager answers", async () => (await fetch(`${api}/status`)).ok);
    const post = async (...alerts: readonly (readonly [alertname: string, severity: string])[]) => {
      const { status } = await fetch(`${api}/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(alerts.map(([alertname, severity]) => ({ labels: { alertname, severity } }))),
      });
      t.is(status, 200);
    };
    // Alertmanager's dispatcher and inhibitor read alerts independently. So the alert that inhibits others comes first.
    await post(["AggregatorNoReplicaReady", "page"]);
    await until("the first page is delivered", async () => got.get("page")?.length === 1);
    await post(
      ["Watchdog", "watchdog"],
      ["AggregatorDown", "page"],
      ["AggregatorNotReady", "ticket"],
      ["AggregatorWalletTls", "ticket"],
      ["OfOperators", "another"],
    );
    await until("the watchdog is repeated", async () => got.get("watchdog")?.length === 2);
    t.deepEqual(got.get("page"), ["AggregatorNoReplicaReady"], "a page that says the same is not sent");
    t.deepEqual(got.get("ticket")?.toSorted(), ["AggregatorWalletTls", "OfOperators"]);
  },
);
