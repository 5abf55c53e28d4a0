/**
 * The API's description in OpenAPI 3.0.3, the version that most generators read. /openapi.json serves this description,
 * the reference page shows it, and the Postman collection is created from it.
 */
import { DEFAULT_RATES } from "../../../app/capacity/rate-limits.ts";
import { TIMESTAMP_TOLERANCE_MS } from "../../../domain/signing/signing.ts";
import { FAULTS_LISTED } from "../../../domain/values/field-fault.ts";
import { VERSION } from "../../../domain/values/product.ts";
import { commonFailures, failureSchemas } from "./failures.ts";
import { gameOperations, gameSchemas } from "./games.ts";
import { ggrOperations, ggrSchemas } from "./ggr.ts";
import { launchOperations, launchSchemas } from "./launch.ts";
import { merchantOperations, merchantSchemas } from "./merchant.ts";
import { operation, ownResponses, replySchema } from "./operation.ts";
import type { Schema } from "./schema.ts";
import { transactionSchemas } from "./transaction-schemas.ts";
import { transactionOperations } from "./transactions.ts";
import { walletSchemas } from "./wallet.ts";

const OPERATIONS = [
  ...merchantOperations,
  ...launchOperations,
  ...gameOperations,
  ...transactionOperations,
  ...ggrOperations,
];

const SCHEMAS = [
  failureSchemas,
  merchantSchemas,
  launchSchemas,
  gameSchemas,
  transactionSchemas,
  ggrSchemas,
  walletSchemas,
];

const { launch, catalog, transactions, reports } = DEFAULT_RATES.operations;
const rateLimits = `launch ${launch}, transactions and rounds ${transactions}, reports ${reports}, all other calls ${catalog}`;

const INTRODUCTION = `One integration for slots, live casino and a sportsbook, while the players' money stays in your wallet. You call us to open games and to look things up; we call your wallet to move money. Both directions are signed the same way.

**Envelope.** A success is \`{"success": true, "message", "statusCode", "data"}\`, a failure \`{"success": false, "message", "statusCode", "error": {"code", "message", "details?", "request_id"}}\`. Decide by \`error.code\`, never by \`message\`. The message is a text for people in Portuguese, Spanish or English. The header Accept-Language chooses the language.

**Numbers and times.** Amounts are in the major unit: 2.5 is two and a half. Times are in UTC, written as in RFC 3339 with milliseconds.

**Lists** take a \`limit\` and an opaque \`cursor\`. An unknown parameter or field is refused with VALIDATION_ERROR, and \`details\` lists all faults together. If there are more than ${FAULTS_LISTED} faults, it lists the first ones and says how many more there are.

**Rate limits** of a merchant, in calls per second: ${rateLimits}. A burst may have twice as many calls. Your merchant may have other limits. Every reply to an authenticated call has the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. A 429 also has \`Retry-After\`.

**New fields may be added**: ignore what you don't know.`;

const header = (description: string, schema: Schema): Schema => ({ description, schema });
const signed = (name: string, description: string): Schema => ({ type: "apiKey", in: "header", name, description });

/** @param address - the API's address, without `/v1` and without a trailing slash. */
export const openApiDocument = (address: string): Schema => ({
  openapi: "3.0.3",
  info: {
    title: "Operator API",
    version: VERSION,
    description: INTRODUCTION,
    license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
  },
  externalDocs: { url: `${address}/docs`, description: "The reference, with code that signs a call." },
  servers: [{ url: address, description: "The API's address. The rest of the request's URL, from /v1 on, is signed." }],
  security: [{ MerchantId: [], Timestamp: [], Nonce: [], Signature: [] }],
  tags: [
    { name: "Merchant", description: "Your merchant as we see it." },
    { name: "Games", description: "Open games and list them." },
    { name: "Transactions", description: "The transactions that we sent to your wallet, with their results." },
    { name: "Reports", description: "Sums for your accounting." },
    { name: "Your wallet", description: "Our calls to you: one POST to your walletUrl for each action." },
  ],
  paths: pathsOf(),
  components: {
    securitySchemes: {
      MerchantId: signed("X-Merchant-Id", "Your merchant code."),
      Timestamp: signed(
        "X-Timestamp",
        `The time in milliseconds since 1970, with 13 digits. It may differ from our clock by at most ${TIMESTAMP_TOLERANCE_MS / 60_000} minutes.`,
      ),
      Nonce: signed("X-Nonce", "16 to 64 of the characters `A-Z a-z 0-9 _ -`. Never use the same nonce twice."),
      Signature: signed(
        "X-Signature",
        "The HMAC-SHA256, in 64 lowercase hex digits, of `{X-Timestamp}.{X-Nonce}.{METHOD}.{target}.{body}`. The key is the secret's text as you got it. `target` is the raw request target from `/v1` on, with the query string. `body` is the raw bytes of the body, and empty if there is no body.",
      ),
    },
    headers: {
      "X-Request-Id": header("The id of this reply. Give it to support.", { type: "string", format: "uuid" }),
      "RateLimit-Limit": header(
        "The number of calls that a burst may have. Every reply to an authenticated call has this header.",
        {
          type: "integer",
        },
      ),
      "RateLimit-Remaining": header("The number of calls that you may still make now.", { type: "integer" }),
      "RateLimit-Reset": header("The seconds until the full number of calls is available again.", { type: "integer" }),
      "Retry-After": header("The seconds to wait before you send the same request again, with a new signature.", {
        type: "integer",
      }),
    },
    responses: Object.assign(commonFailures(), ...OPERATIONS.map(ownResponses)),
    schemas: Object.assign({}, ...SCHEMAS, ...OPERATIONS.map(replySchema)),
  },
});

function pathsOf(): Readonly<Record<string, Schema>> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const described of OPERATIONS)
    paths[described.path] = { ...paths[described.path], [described.method]: operation(described) };
  return paths;
}
