/** Caleta's answers against the schemas of its public OpenAPI description, version 1.5. */
import { Ajv } from "ajv";
import test from "ava";
import { CALETA } from "../../connectors/hub88/statuses.ts";
import { hubFields, startHubStage } from "../../testbed/connectors/hub88.ts";

const STATUSES = [
  ...["RS_OK", "RS_ERROR_UNKNOWN", "RS_ERROR_TIMEOUT", "RS_ERROR_INVALID_TOKEN", "RS_ERROR_INVALID_GAME"],
  ...["RS_ERROR_WRONG_CURRENCY", "RS_ERROR_NOT_ENOUGH_MONEY", "RS_ERROR_USER_DISABLED", "RS_ERROR_INVALID_SIGNATURE"],
  ...["RS_ERROR_TOKEN_EXPIRED", "RS_ERROR_WRONG_SYNTAX", "RS_ERROR_WRONG_TYPES", "RS_ERROR_DUPLICATE_TRANSACTION"],
  ...["RS_ERROR_TRANSACTION_DOES_NOT_EXIST", "RS_ERROR_TRANSACTION_ROLLED_BACK", "RS_ERROR_BET_LIMIT_EXCEEDED"],
];
const text = { type: "string" };

/** `BalanceResponse`: the answer to balance, bet, win and rollback. Nothing more is sent. */
const BALANCE_RESPONSE = {
  type: "object",
  required: ["request_uuid", "status"],
  properties: {
    user: text,
    status: { enum: STATUSES },
    request_uuid: text,
    currency: { enum: ["BRL", "MXN", "ARS", "COP", "CLP", "PEN", "USD"] },
    balance: { type: "integer" },
  },
  additionalProperties: false,
};

test("every status in Caleta's tables is one of its API", (t) => {
  for (const [call, table] of Object.entries(CALETA))
    for (const [verdict, status] of Object.entries(table))
      t.true(STATUSES.includes(status), `${call} ${verdict}: ${status}`);
});

test("every answer to Caleta has the form of its API, good calls and bad ones", async (t) => {
  const caleta = await startHubStage(t, "caleta");
  const who = await caleta.open();
  const isBalance = new Ajv({ allErrors: true }).compile(BALANCE_RESPONSE);
  const checked = async (call: "balance" | "bet" | "win" | "rollback", fields: object, status: string) => {
    const answer = await caleta.call(call, fields);
    t.is(answer.status, status, JSON.stringify(answer));
    t.true(isBalance(answer), `${JSON.stringify(answer)}: ${JSON.stringify(isBalance.errors)}`);
    if (status === "RS_OK") t.true("balance" in answer && "currency" in answer && "user" in answer);
  };
  const { user: _, ...bet } = hubFields(who);
  const win = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid, jackpot_win: 100_000 });
  const {
    amount: __,
    currency: ___,
    ...rollback
  } = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid });
  await checked(
    "balance",
    { token: who.token, supplier_user: who.user, request_uuid: "b", game_code: "lucky" },
    "RS_OK",
  );
  await checked("bet", bet, "RS_OK");
  await checked("bet", bet, "RS_OK");
  await checked("win", win, "RS_OK");
  await checked("rollback", rollback, "RS_OK");
  await checked(
    "rollback",
    { ...rollback, transaction_uuid: "of-nothing", reference_transaction_uuid: "nothing" },
    "RS_OK",
  );
  await checked("win", { ...win, transaction_uuid: "late" }, "RS_ERROR_TRANSACTION_ROLLED_BACK");
  await checked(
    "win",
    { ...win, transaction_uuid: "x", reference_transaction_uuid: "y" },
    "RS_ERROR_TRANSACTION_DOES_NOT_EXIST",
  );
  await checked("bet", hubFields(who, { amount: 900_000_000 }), "RS_ERROR_NOT_ENOUGH_MONEY");
  await checked("bet", { ...bet, amount: 300_000 }, "RS_ERROR_DUPLICATE_TRANSACTION");
  await checked("bet", hubFields(who, { token: "unknown" }), "RS_ERROR_INVALID_TOKEN");
  await checked("bet", hubFields(who, { game_code: "unknown" }), "RS_ERROR_INVALID_GAME");
  await checked("bet", hubFields(who, { currency: "USD" }), "RS_ERROR_WRONG_CURRENCY");
  await checked("bet", hubFields(who, { amount: "1" }), "RS_ERROR_WRONG_TYPES");
  await checked("bet", hubFields(who, { round: undefined }), "RS_ERROR_WRONG_SYNTAX");
  caleta.service.wallet.ledger.block("shop-brl", "ana", true);
  await checked("bet", hubFields(who), "RS_ERROR_USER_DISABLED");

  // The body of check has the token alone, and so has its answer at least.
  const { token } = await caleta.send("/wallet/check", JSON.stringify({ token: who.token }));
  t.is(typeof token, "string");
  await checked("balance", { token, supplier_user: who.user, request_uuid: "b", game_code: "lucky" }, "RS_OK");
});
