/** How a connector is operated: traces, TLS, and a log without secrets. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import test from "ava";
import { connectors } from "../../../connectors/connectors.ts";
import { type Connector, startConnector } from "../../../connectors/frame/process.ts";
import { SettingsError } from "../../../connectors/frame/settings.ts";
import { hubWire } from "../../../sandbox/upstreams/wire/hub88.ts";
import { GameService } from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { hubFields, startHubStage } from "../../../testbed/connectors/hub88.ts";
import { startReceiver } from "../../../testbed/otlp/receiver.ts";
import type { Replica } from "../../../testbed/service/replica.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

test("a traced request of a provider has a span, each call in it another, and the service's spans follow in its trace", async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_TRACES_SAMPLER_ARG: "0" };
  const stage = await startHubStage(t, "hub88", { env: traces }, { ...traces, OTEL_SERVICE_NAME: "hub88-eu" });
  const who = await stage.open();
  const { path, headers, body } = stage.request("bet", hubFields(who));
  const traceparent = `00-${TRACE}-${PARENT}-01`;
  const reply = await fetch(`${stage.origin}${path}`, { method: "POST", headers: { ...headers, traceparent }, body });
  t.like(await reply.json(), { status: "RS_OK" });
  t.like(await stage.call("bet", hubFields(who)), { status: "RS_OK" });
  const find = (name: string, parentId: string | undefined) =>
    receiver.spans.find((span) => span.name === name && span.parentId === parentId);
  const chain = () => {
    const asked = find("provider's request", PARENT);
    const called = find("bet", asked?.spanId);
    return [asked, called, find("bet", called?.spanId)];
  };
  for (let tries = 0; tries < 600 && chain().includes(undefined); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const [asked, called, served] = chain();
  t.like(asked, { traceId: TRACE, kind: "SERVER", attributes: { "aggregator.outcome": "RS_OK" } });
  t.is(asked?.resource["service.name"], "hub88-eu");
  t.like(called, { traceId: TRACE, kind: "CLIENT", attributes: { "aggregator.outcome": "ok" } });
  t.like(served, { traceId: TRACE, kind: "SERVER" });
  t.true(
    receiver.spans.every(({ traceId }) => traceId === TRACE),
    "the other request is not sampled",
  );
});

test("the log of a connector has no key, token or session, whatever goes wrong", async (t) => {
  t.timeout(180_000);
  const stage = await startHubStage(t, "hub88", { processes: true });
  const who = await stage.open();
  const bet = hubFields(who);
  t.like(await stage.call("bet", bet), { status: "RS_OK" });
  t.like(await stage.send(stage.path("bet"), JSON.stringify(bet), "wrong"), { status: "RS_ERROR_INVALID_SIGNATURE" });
  t.like(await stage.send(stage.path("bet"), "{"), { status: "RS_ERROR_WRONG_SYNTAX" });
  // A launch that the upstream refuses, and a service that is away.
  await stage.service.rest("POST", "/v1/game/launch", {
    player_id: "ana",
    game: "lucky",
    provider: "HUB88",
    demo: true,
  });
  await (stage.service.first as Replica).kill();
  const { path, headers, body } = stage.request("bet", hubFields(who));
  const unclear = await fetch(`${stage.origin}${path}`, { method: "POST", headers, body });
  t.like(await unclear.json(), { status: "RS_ERROR_UNKNOWN" });
  const output = stage.replicas.map((replica) => replica.output).join("\n");
  t.true(output.includes("ready: wallet API"));
  const { AGGREGATOR_KEY = "", MASTER_KEY = "", HUB88_PRIVATE_KEY = "" } = stage.env;
  for (const secret of [AGGREGATOR_KEY, MASTER_KEY, HUB88_PRIVATE_KEY.split("\n")[1] ?? "", who.token]) {
    t.true(secret.length >= 32);
    t.false(output.includes(secret));
  }
  t.notRegex(output, /session_?id/i);
});

const certificates = new URL("../../adapters/grpc/certificates/", import.meta.url);
const file = (name: string): string => fileURLToPath(new URL(`${name}.pem`, certificates));

test("both public ports have TLS if they are given certificates, and GameService may demand one of its callers", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "connector-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...hubWire("hub88").variables("http://127.0.0.1:9"),
    AGGREGATOR_URL: "http://127.0.0.1:9",
    AGGREGATOR_KEY: "key",
    MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    DATABASE_URL: `sqlite:${join(folder, "connector.db")}`,
    HOST: "127.0.0.1",
    HTTP_PORT: "0",
    GRPC_PORT: "0",
    INTERNAL_HTTP_PORT: "0",
    DRAIN_DELAY_MS: "0",
    LOG_LEVEL: "silent",
    HTTP_TLS_CERT: file("server"),
    HTTP_TLS_KEY: file("server.key"),
    GRPC_TLS_CERT: file("server"),
    GRPC_TLS_KEY: file("server.key"),
    GRPC_TLS_CLIENT_CA: file("ca"),
  };
  const start = (more: object) => startConnector(connectors.hub88 as Connector, { ...env, ...more });
  await t.throwsAsync(start({ HTTP_TLS_KEY: "" }), { instanceOf: SettingsError, message: /HTTP_TLS_KEY is missing/ });
  await t.throwsAsync(start({ GRPC_TLS_CERT: "" }), { instanceOf: SettingsError, message: /GRPC_TLS_CERT is missing/ });
  await t.throwsAsync(start({ HTTP_TLS_CERT: folder }), { message: /HTTP_TLS_CERT must be the path of a PEM file/ });

  const connector = await start({});
  t.teardown(() => connector.stop());
  const { http, grpc } = connector.ports;
  const ca = readFileSync(file("ca"));
  const status = await new Promise((resolve, reject) => {
    const asked = request({ host: "localhost", port: http, path: "/other", ca, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    asked.on("error", reject).end();
  });
  t.is(status, 404);
  await t.throwsAsync(fetch(`http://127.0.0.1:${http}/other`), undefined, "without TLS nothing is answered");

  const open = (nodeOptions: object) =>
    createClient(GameService, createGrpcTransport({ baseUrl: `https://localhost:${grpc}`, nodeOptions })).openGame({
      gameCode: "lucky",
      demo: true,
    });
  // The upstream is not there, so the game cannot be opened; but the call has arrived.
  const opened = await t.throwsAsync(
    open({ ca, key: readFileSync(file("client.key")), cert: readFileSync(file("client")) }),
  );
  t.is(opened?.message, "[internal] internal error");
  const refused = await t.throwsAsync(open({ ca }));
  t.not(refused?.message, opened?.message);
});
