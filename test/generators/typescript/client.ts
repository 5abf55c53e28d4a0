// Walks through a listing or the feed with openapi-fetch and the types that openapi-typescript generated as api.ts.
import { createHmac, randomBytes } from "node:crypto";
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api.ts";

const { BASE_URL = "", MERCHANT = "", SECRET = "", LIMIT } = process.env;

/** Signs a request just before it is sent. */
const signing: Middleware = {
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url);
    const target = pathname.slice(pathname.indexOf("/v1")) + search;
    const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
    const body = await request.clone().text();
    const signature = createHmac("sha256", SECRET)
      .update(`${timestamp}.${nonce}.${request.method}.${target}.${body}`)
      .digest("hex");
    request.headers.set("X-Merchant-Id", MERCHANT);
    request.headers.set("X-Timestamp", timestamp);
    request.headers.set("X-Nonce", nonce);
    request.headers.set("X-Signature", signature);
    return request;
  },
};

const client = createClient<paths, "application/json">({ baseUrl: BASE_URL });
client.use(signing);

async function page(query: paths["/v1/transactions"]["get"]["parameters"]["query"]) {
  const { data, error } = await client.GET("/v1/transactions", {
    params: { query: { ...query, limit: Number(LIMIT) } },
  });
  if (data === undefined) throw new Error(`${error.error.code}: ${error.error.message}`);
  return data.data;
}

const isFeed = process.argv[2] === "feed";
const asked = isFeed ? { updated_since: "2026-01-01T00:00:00Z" } : {};
let cursor: string | undefined;
for (;;) {
  const { items, next_cursor } = await page(cursor === undefined ? asked : { ...asked, cursor });
  for (const { tx_id, action, status, amount } of items)
    console.log(JSON.stringify({ tx_id, action, status, amount: amount.toFixed(2) }));
  if (next_cursor === null || (isFeed && next_cursor === cursor)) break;
  cursor = next_cursor;
}
