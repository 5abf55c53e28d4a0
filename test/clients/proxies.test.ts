import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { promisify } from "node:util";
import test, { type ExecutionContext } from "ava";
import { VERSION as CERTIFY_PROVIDER } from "../../certify/provider/version.ts";
import { VERSION as CERTIFY_WALLET } from "../../certify/wallet/version.ts";

/** Every variable by which Node or one of our packages would find a proxy. */
const proxyVariables = (proxy: string): Record<string, string> => {
  const names = ["http_proxy", "https_proxy", "grpc_proxy", "all_proxy"];
  return {
    ...Object.fromEntries(names.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, proxy])),
    NODE_USE_ENV_PROXY: "1",
    no_proxy: "",
    NO_PROXY: "",
  };
};

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("no client goes through the proxy of a variable, and each one names the product", async (t) => {
  const proxied: string[] = [];
  const proxy = await listening(
    t,
    createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (bytes) => {
        proxied.push(bytes.toString("latin1").split("\r\n")[0] ?? "");
        socket.destroy();
      });
    }),
  );
  const seen = new Map<string, IncomingHttpHeaders>();
  const http = await listening(
    t,
    createServer((request, response) => {
      seen.set(request.url ?? "", request.headers);
      request.resume().on("end", () => response.writeHead(404).end("{}"));
    }),
  );
  let grpcConnections = 0;
  const grpc = await listening(
    t,
    createTcpServer((socket) => {
      grpcConnections += 1;
      socket.on("error", () => undefined).destroy();
    }),
  );
  const program = new URL("every-client.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(http), String(grpc)], {
    env: { ...process.env, ...proxyVariables(`http://127.0.0.1:${proxy}`) },
  });
  t.deepEqual(proxied, [`GET http://127.0.0.1:${http}/control HTTP/1.1`], stdout);
  // The two clients of the sandbox share a connection.
  t.true(grpcConnections >= 3, stdout);
  t.deepEqual([...seen.keys()].sort(), [
    "/aggregator.admin.v1.BrandAdminService/CreateBrand",
    "/aggregator.admin.v1.BrandAdminService/ListBrands",
    "/certified",
    "/hook",
    "/v1/merchant",
    "/v1/traces",
    "/wallet",
  ]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
  for (const [path, product] of Object.entries({
    "/aggregator.admin.v1.BrandAdminService/ListBrands": `game-aggregator-admin/${version}`,
    "/certified": `certify-wallet/${CERTIFY_WALLET}`,
    "/hook": `certify-provider/${CERTIFY_PROVIDER}`,
    "/v1/merchant": `game-aggregator-reconcile/${version}`,
    "/wallet": `game-aggregator/${version}`,
  })) {
    const headers = seen.get(path);
    t.is(headers?.["user-agent"], product, path);
    t.is(headers?.["accept-encoding"], "identity", path);
  }
});
