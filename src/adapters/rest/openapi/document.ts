/** The API's description in OpenAPI 3.1: what /openapi.json serves, the reference page shows and the Postman collection is made of. */
import { RATES } from "../../../app/capacity/rate-limits.ts";
import { TIMESTAMP_TOLERANCE_MS } from "../../../domain/signing/signing.ts";
import { FAULTS_LISTED } from "../../../domain/values/field-fault.ts";
import { commonResponses, failureSchemas } from "./failures.ts";
import { gameOperations, gameSchemas } from "./games.ts";
import { ggrOperations, ggrSchemas } from "./ggr.ts";
import { launchOperations } from "./launch.ts";
import { merchantOperations } from "./merchant.ts";
import { operation } from "./operation.ts";
import type { Schema } from "./schema.ts";
import { transactionOperations, transactionSchemas } from "./transactions.ts";
import { walletHeaders, walletSchemas, webhooks } from "./wallet.ts";

const OPERATIONS = [...merchantOperations, ...launchOperations, ...gameOperations, ...transactionOperations, ...ggrOperations];

const { launch, catalog, transactions, reports } = RATES.operations;
const rateLimits = `launch ${launch}, transactions and rounds ${transactions}, reports ${reports}, all else ${catalog}`;

const INTRODUCTION = `One integration for slots, live casino and a sportsbook, while the players' money stays in your wallet. You call us to open games and to look things up; we call your wallet to move money. Both directions are signed the same way.

**Envelope.** A success is \`{"success": true, "message", "statusCode", "data"}\`, a failure \`{"success": false, "message", "statusCode", "error": {"code", "message", "details?", "request_id"}}\`. Decide by \`error.code\`, never by \`message\`: that is Portuguese text for people.

**Numbers and times.** Amounts are in the major unit: 2.5 is two and a half. Times are RFC 3339 with milliseconds, UTC.

**Lists** have \`limit\` and an opaque \`cursor\`. An unknown parameter or field is refused with VALIDATION_ERROR, and \`details\` lists every fault at once; of more than ${FAULTS_LISTED} the first, and how many more there are.

**Rate limits**, per second and merchant: ${rateLimits}. A burst may have twice as many. Every reply says what is left in \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`, once you are known and let in; a 429 has \`Retry-After\`. You may have limits of your own.

**New fields may be added**: ignore what you don't know.`;

const header = (description: string, schema: Schema): Schema => ({ description, schema });
const signed = (name: string, description: string): Schema => ({ type: "apiKey", in: "header", name, description });

/** @param publicUrl - the API's address without `/v1`; null: where the document was fetched. */
export const openApiDocument = (publicUrl: string | null): Schema => ({
  openapi: "3.1.0",
  info: { title: "Operator API", version: "1.0.0", description: INTRODUCTION, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
  servers: [{ url: publicUrl ?? "/", description: "What stands before /v1 is not signed." }],
  security: [{ MerchantId: [], Timestamp: [], Nonce: [], Signature: [] }],
  tags: [
    { name: "Merchant", description: "Who you are." },
    { name: "Games", description: "Open games, list them." },
    { name: "Transactions", description: "What was sent to your wallet, and what became of it." },
    { name: "Reports", description: "Sums for your books." },
    { name: "Your wallet", description: "What we call: one POST to your walletUrl for each action." },
  ],
  paths: pathsOf(),
  webhooks: webhooks(),
  components: {
    securitySchemes: {
      MerchantId: signed("X-Merchant-Id", "Your merchant code."),
      Timestamp: signed("X-Timestamp", `Milliseconds since 1970, 13 digits; at most ${TIMESTAMP_TOLERANCE_MS / 60_000} minutes off, either way.`),
      Nonce: signed("X-Nonce", "16 to 64 of `A-Z a-z 0-9 _ -`, never used before."),
      Signature: signed(
        "X-Signature",
        "64 lowercase hex digits: HMAC-SHA256, keyed with the secret's text as you got it, over `{X-Timestamp}.{X-Nonce}.{METHOD}.{target}.{body}`. `target` is the raw request target from `/v1` on, query string included; `body` the raw bytes, nothing without one.",
      ),
    },
    headers: {
      "X-Request-Id": header("Of this reply. Tell support this.", { type: "string", format: "uuid" }),
      "RateLimit-Limit": header("Calls that a burst may have. On every reply once you are known and let in.", { type: "integer" }),
      "RateLimit-Remaining": header("Calls left of it now.", { type: "integer" }),
      "RateLimit-Reset": header("Seconds until all are there again.", { type: "integer" }),
      "Retry-After": header("Seconds to wait before the same request, signed anew.", { type: "integer" }),
    },
    parameters: walletHeaders,
    responses: commonResponses(),
    schemas: { ...failureSchemas, ...gameSchemas, ...transactionSchemas, ...ggrSchemas, ...walletSchemas },
  },
});

function pathsOf(): Readonly<Record<string, Schema>> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const described of OPERATIONS) paths[described.path] = { ...paths[described.path], [described.method]: operation(described) };
  return paths;
}
