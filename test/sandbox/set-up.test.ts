import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import test from "ava";
import { setUpSandbox } from "../../src/sandbox-set-up.ts";

test("a call of the set-up that the service cannot serve is made again; any other refusal ends it", async (t) => {
  const answers = [
    [503, { code: "unavailable", message: "SERVICE_UNAVAILABLE" }],
    [403, { code: "permission_denied", message: "ROLE_NOT_ALLOWED" }],
  ] as const;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [status, error] = answers[asked.length] ?? answers[1];
    asked.push(request.url ?? "");
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(error));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const plan = { brand: "casa", name: "Casa", theme: "", layout: "", sites: [], currencies: [] };
  const more = { walletUrlOf: () => "http://127.0.0.1:9", providers: [], games: [] };
  const refused = await t.throwsAsync(setUpSandbox(`http://127.0.0.1:${port}`, "key", { ...plan, ...more }), {
    instanceOf: ConnectError,
  });
  t.is(refused?.code, Code.PermissionDenied);
  t.is(asked.length, 2);
});
