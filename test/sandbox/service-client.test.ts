import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { callService } from "../../sandbox/merchant/service-client.ts";
import { checkSignature, type ReceivedCallback } from "../../sandbox/merchant/signature.ts";

const MERCHANT = { code: "casa", secret: "whsec_example_not_a_real_secret" };

test("callService signs the query and the body of a call, and returns the data or the error code of the reply", async (t) => {
  const received: ReceivedCallback[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks),
    });
    const ok = request.method === "GET";
    response.writeHead(ok ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        ok
          ? { success: true, data: { items: [] } }
          : { success: false, message: "não", error: { code: "GAME_NOT_FOUND", message: "não" } },
      ),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  t.deepEqual(await callService(url, MERCHANT, "GET", "/v1/games?cursor=a%2Fb&limit=2"), {
    ok: true,
    data: { items: [] },
  });
  const refused = await callService(url, MERCHANT, "POST", "/v1/game/launch", { player_id: "joão", game: "x" });
  t.deepEqual(refused, { ok: false, status: 404, code: "GAME_NOT_FOUND", message: "não" });
  t.deepEqual(
    received.map((call) => [call.target, checkSignature([MERCHANT.secret], call, Date.now())]),
    [
      ["/v1/games?cursor=a%2Fb&limit=2", "ok"],
      ["/v1/game/launch", "ok"],
    ],
  );
});

test("callService returns SERVICE_UNREACHABLE if no server listens", async (t) => {
  const reply = await callService("http://127.0.0.1:9", MERCHANT, "GET", "/v1/games");
  t.is(reply.ok ? "" : reply.code, "SERVICE_UNREACHABLE");
});
