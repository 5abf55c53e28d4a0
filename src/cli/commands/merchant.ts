import type { MERCHANT_FIELDS, PlainFieldName } from "../../../contract/merchants/fields.ts";
import type { CamelCase } from "../../../contract/names.ts";
import { PRODUCTS } from "../../../contract/values/products.ts";
import { PLAIN_FIELDS } from "../../domain/merchant/plain-fields.ts";
import { CURRENCIES } from "../../domain/values/money.ts";
import { PingWalletResponseSchema } from "../../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { MerchantSchema } from "../../gen/aggregator/admin/v1/merchant_pb.ts";
import {
  boolean,
  choice,
  choices,
  clearable,
  decimal,
  duration,
  type Flag,
  integer,
  list,
  replacing,
  required,
  text,
} from "../arguments/flag.ts";
import { command, type Noun } from "../command.ts";
import { listOutput, recordOutput, type ShownOnce } from "../output/command-output.ts";
import { cursor, limit, reason, somethingTo } from "./common-flags.ts";

const code = required(
  text("code", "The merchant's code: 1 to 64 characters of A-Z a-z 0-9 _ and -. It never changes", "shop-brl"),
);
const currency = choice("The merchant's only currency", ...CURRENCIES);
const brand = text("code", "The brand's code", "shop");
const products = choices("The products that the merchant's players may open", ...PRODUCTS);
const ipList = list(
  "address",
  "The addresses and CIDR ranges that may call the API for this merchant. All other addresses are refused",
  "192.0.2.7,198.51.100.0/24",
);

type PlainFlags = {
  readonly [N in PlainFieldName as CamelCase<N>]: Flag<
    (typeof MERCHANT_FIELDS)[N] extends { readonly type: "flag" } ? boolean : string,
    false
  >;
};

/** The flags of the plain fields. In a change, a text that may be absent can also be cleared. */
const plainFlags = (isChange: boolean): PlainFlags =>
  Object.fromEntries(
    PLAIN_FIELDS.map(({ property, type, flag: { help = "", form = "", example = "", cleared } = {} }) => {
      if (type === "flag") return [property, boolean(help)];
      const given = text(form, help, example);
      return [property, isChange && cleared !== undefined ? clearable(given, "", cleared) : given];
    }),
  ) as unknown as PlainFlags;
const { name, walletUrl, defaultLanguage, ...others } = plainFlags(false);
const { name: newName, walletUrl: newWalletUrl, defaultLanguage: newLanguage, ...newOthers } = plainFlags(true);

/** The flags whose values go into `limits` of the request. */
const limits = {
  launchRate: decimal("Launches per second, 0.1 to 10000. The default is 50", "100"),
  catalogRate: decimal(
    "Calls per second that read the merchant, games and providers, 0.1 to 10000. The default is 5",
    "20",
  ),
  transactionsRate: decimal(
    "Calls per second that read transactions and rounds, 0.1 to 10000. The default is 10",
    "20",
  ),
  reportsRate: decimal("Calls per second that read reports, 0.1 to 10000. The default is 1", "2"),
  walletConcurrency: integer(
    "The maximum number of concurrent wallet calls on each replica. The default is WALLET_CONCURRENCY_PER_MERCHANT (64)",
    128,
    1,
    10_000,
  ),
};
const back = (flag: Flag<number, false>) => clearable(flag, 0, "the default");

/** Moves the limits into `limits` of the request. */
const withLimits = <T extends object>(given: T): T & { limits?: Record<string, number> } => {
  const set = Object.entries(given).filter(([key]) => key in limits);
  return set.length === 0 ? given : { ...given, limits: Object.fromEntries(set) };
};

const secretOf = (merchant: string, value: string): ShownOnce => ({
  name: "secret",
  value,
  replacedBy: `merchant rotate-secret --code ${merchant} --reason 'the secret was lost'`,
});

export const merchant: Noun = {
  summary: "An operator's accounts, one for each currency, and their secrets",
  verbs: {
    create: command({
      summary: "Creates a merchant and shows its secret, only once",
      notes:
        "Give the operator its code, secret, currency, brand and api_url. Without a wallet-url the merchant can open only demos.",
      flags: {
        code,
        currency: required(currency),
        brand: required(brand),
        name,
        walletUrl,
        defaultLanguage,
        products,
        ipList,
        ...others,
        ...limits,
        reason,
      },
      examples: [
        "--code shop-brl --currency BRL --brand shop --products slot,live --wallet-url https://wallet.shop.example/aggregator",
        "--code shop-clp --currency CLP --brand shop --products slot --default-language es-CL --ip-list 192.0.2.7,198.51.100.0/24",
      ],
      run: async (api, given) => {
        const { merchant: made, secret, apiUrl } = await api.merchant.createMerchant(withLimits(given));
        const { record, ...rest } = recordOutput(MerchantSchema, made, {
          sentence: `Made the merchant ${given.code}.`,
          once: secretOf(given.code, secret),
        });
        return { ...rest, record: { ...record, api_url: apiUrl } };
      },
    }),
    set: command({
      summary: "Changes the given fields of a merchant",
      notes:
        "A new wallet-url needs a reason, because the next wallet call goes to it. --enabled false needs a reason, too. The currency can't change any more when the merchant has a player.",
      flags: {
        code,
        name: newName,
        currency,
        brand,
        walletUrl: newWalletUrl,
        defaultLanguage: newLanguage,
        products: replacing(products, "nothing can be launched"),
        ipList: replacing(ipList, "every address may call"),
        ...newOthers,
        launchRate: back(limits.launchRate),
        catalogRate: back(limits.catalogRate),
        transactionsRate: back(limits.transactionsRate),
        reportsRate: back(limits.reportsRate),
        walletConcurrency: back(limits.walletConcurrency),
        reason,
      },
      check: somethingTo(
        [
          "name",
          "currency",
          "brand",
          "walletUrl",
          "defaultLanguage",
          "products",
          "ipList",
          ...Object.keys(others),
          ...Object.keys(limits),
        ],
        "--products slot,live, for example",
      ),
      examples: [
        "--code shop-brl --products slot,live,sportsbook",
        "--code shop-brl --wallet-url https://wallet2.shop.example/ --reason 'moved, ticket 4711'",
        "--code shop-brl --ip-list none",
      ],
      run: async (api, given) =>
        recordOutput(MerchantSchema, (await api.merchant.setMerchant(withLimits(given))).merchant, {
          sentence: `Changed the merchant ${given.code}.`,
        }),
    }),
    show: command({
      summary: "Shows a merchant, without its secret",
      flags: { code },
      examples: ["--code shop-brl"],
      run: async (api, given) => {
        const found = await api.merchant.getMerchant(given);
        const { record, ...rest } = recordOutput(MerchantSchema, found.merchant);
        return { ...rest, record: { ...record, api_url: found.apiUrl } };
      },
    }),
    list: command({
      summary: "Lists merchants by code",
      flags: { brand: text("code", "Only merchants of this brand", "shop"), limit: limit(100, 500), cursor },
      examples: ["", "--brand shop --json"],
      run: async (api, given) => {
        const { merchants, nextCursor } = await api.merchant.listMerchants(given);
        return listOutput(MerchantSchema, merchants, nextCursor, [
          "code",
          "name",
          "currency",
          "brand",
          "products",
          "enabled",
          "wallet_url",
        ]);
      },
    }),
    "rotate-secret": command({
      summary: "Creates a new secret and shows it, only once",
      notes:
        "With --overlap no call is refused: until the overlap ends, the merchant may sign with either secret, and wallet callbacks have X-Signature with the old secret and X-Signature-Next with the new secret. After that only the new secret is valid. Without --overlap the old secret ends at once, so agree with the merchant on the time.",
      flags: {
        code,
        reason: required(reason),
        overlap: duration("How long both secrets are valid: 1s to 30d", "24h"),
      },
      examples: [
        "--code shop-brl --reason 'yearly rotation' --overlap 24h",
        "--code shop-brl --reason 'the secret leaked'",
      ],
      run: async (api, given) => {
        const made = await api.merchant.rotateSecret(given);
        return recordOutput(MerchantSchema, made.merchant, {
          sentence: `The merchant ${given.code} has a new secret. ${given.overlap === undefined ? "The old secret is no longer valid" : "The old secret is valid, too, until rotation_ends_at"}.`,
          once: secretOf(given.code, made.secret),
        });
      },
    }),
    "finish-rotation": command({
      summary: "Ends the overlap of a new secret early: the old secret ends at once",
      notes: "First make sure that the merchant's servers and its wallet use the new secret.",
      flags: { code, reason: required(reason) },
      examples: ["--code shop-brl --reason 'all servers have the new secret'"],
      run: async (api, given) =>
        recordOutput(MerchantSchema, (await api.merchant.finishRotation(given)).merchant, {
          sentence: `Only the new secret of the merchant ${given.code} is valid.`,
        }),
    }),
    "cancel-rotation": command({
      summary: "Takes a new secret back during its overlap: the new secret ends at once",
      notes: "After that only the old secret is valid, for the merchant's calls and for wallet callbacks.",
      flags: { code, reason: required(reason) },
      examples: ["--code shop-brl --reason 'the new secret was sent by mail'"],
      run: async (api, given) =>
        recordOutput(MerchantSchema, (await api.merchant.cancelRotation(given)).merchant, {
          sentence: `Only the old secret of the merchant ${given.code} is valid.`,
        }),
    }),
    ping: command({
      summary: "Tests a merchant's wallet with one signed balance query, and names the fault",
      notes:
        "The query is sent outside of any session, and has the provider SPORTSBOOK and the game sportsbook. It changes nothing. Ten pings a minute are allowed for each merchant. The audit log records each ping.",
      flags: { code, player: required(text("id", "The merchant's own id of a player", "u-1")), reason },
      examples: ["--code shop-brl --player u-1"],
      run: async (api, given) => {
        const found = await api.merchant.pingWallet(given);
        return recordOutput(PingWalletResponseSchema, found, {
          sentence: found.text,
          readable: ({ text: _, ...others }) => others,
          faults: found.ok ? [] : [`The wallet can't be used: ${found.outcome}.`],
        });
      },
    }),
    disable: command({
      summary: "Refuses a merchant's calls, launches and bets",
      notes: "Wins, refunds and rollbacks of earlier bets are still accepted.",
      flags: { code, reason: required(reason) },
      examples: ["--code shop-brl --reason 'contract ended'"],
      run: async (api, given) =>
        recordOutput(MerchantSchema, (await api.merchant.disableMerchant(given)).merchant, {
          sentence: `Disabled the merchant ${given.code}.`,
        }),
    }),
    enable: command({
      summary: "Accepts a disabled merchant's calls, launches and bets again",
      notes: "Its secret does not change.",
      flags: { code, reason },
      examples: ["--code shop-brl --reason 'contract renewed'"],
      run: async (api, given) =>
        recordOutput(MerchantSchema, (await api.merchant.enableMerchant(given)).merchant, {
          sentence: `Enabled the merchant ${given.code}.`,
        }),
    }),
  },
};
