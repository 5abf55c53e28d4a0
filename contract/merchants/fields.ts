/**
 * The fields of a merchant that an administrator sets. The service reads, stores, checks, audits and shows the fields of
 * the types `text` and `flag` by this table, and the command line has a flag for each of them. A field of another type
 * has code of its own.
 */
import type { CamelCase } from "../names.ts";

export interface MerchantField {
  readonly type: "text" | "flag" | "own";
  /** A text that may be absent. "" in a request clears it, and `none` in the command line; `cleared` says what it means. */
  readonly nullable?: true;
  /** A text has at most this number of characters. Without it, the text has a rule of its own. */
  readonly max?: number;
  /** The value in a new merchant whose request does not have the field. */
  readonly default?: string | boolean | null;
  /** The rule in docs/specification/administration.md. Markdown. */
  readonly rule: string;
  /** The name in the console. */
  readonly words: Readonly<Record<"pt" | "es" | "en", string>>;
  /** The flag of the command line; for a text with the placeholder and an example of its value. */
  readonly flag?: {
    readonly help: string;
    readonly form?: string;
    readonly example?: string;
    readonly cleared?: string;
  };
  /** The console's page of a merchant has a place of its own for the field. Other fields follow as name and value. */
  readonly hasPlace?: true;
}

const RATE = "0.1 to 10,000 a second";

/** By their names in the API, in the order in which the audit log lists them. */
export const MERCHANT_FIELDS = {
  name: {
    type: "text",
    max: 255,
    default: "",
    rule: "1 to 255 characters",
    words: { pt: "Nome", es: "Nombre", en: "Name" },
    flag: { help: "A name for people, up to 255 characters", form: "name", example: "'Shop Brasil'" },
    hasPlace: true,
  },
  currency: {
    type: "own",
    rule: "one of the seven; fixed once the merchant has a player",
    words: { pt: "Moeda", es: "Moneda", en: "Currency" },
  },
  brand: { type: "own", rule: "a brand that exists", words: { pt: "Marca", es: "Marca", en: "Brand" } },
  wallet_url: {
    type: "text",
    nullable: true,
    default: null,
    rule: "see [wallet-url](wallet-calls.md#wallet-url)",
    words: { pt: "Endereço da carteira", es: "Dirección de la billetera", en: "Wallet address" },
    flag: {
      help: "The address of the wallet callbacks: https with a host name",
      form: "url",
      example: "https://wallet.shop.example/aggregator",
      cleared: "no wallet, so only demos can be opened",
    },
    hasPlace: true,
  },
  default_language: {
    type: "text",
    nullable: true,
    default: null,
    rule: "a [language](basics.md#basic-language)",
    words: { pt: "Idioma", es: "Idioma", en: "Language" },
    flag: {
      help: "The language of launches that name no language: pt, es or en, with or without a region",
      form: "tag",
      example: "pt-BR",
      cleared: "the default, pt",
    },
    hasPlace: true,
  },
  jurisdiction: {
    type: "text",
    nullable: true,
    default: null,
    rule: "an ISO 3166 code in upper case, of a country (`BR`) or of a part of a country (`AR-B`): see [admin-jurisdiction](#admin-jurisdiction)",
    words: { pt: "Jurisdição", es: "Jurisdicción", en: "Jurisdiction" },
    flag: {
      help: "Whose rules the merchant's players play under, for providers: an ISO 3166 code of a country or of a part of it",
      form: "code",
      example: "AR-B",
      cleared: "providers are told no jurisdiction",
    },
  },
  products: {
    type: "own",
    rule: "any of `slot`, `live`, `sportsbook`",
    words: { pt: "Produtos", es: "Productos", en: "Products" },
  },
  ip_list: {
    type: "own",
    rule: "at most 200 addresses or CIDR ranges; an empty list allows every address",
    words: { pt: "Endereços que podem chamar", es: "Direcciones que pueden llamar", en: "Addresses that may call" },
  },
  launch_rate: {
    type: "own",
    rule: RATE,
    words: { pt: "Aberturas por segundo", es: "Aperturas por segundo", en: "Launches per second" },
  },
  catalog_rate: {
    type: "own",
    rule: RATE,
    words: {
      pt: "Chamadas ao catálogo por segundo",
      es: "Llamadas al catálogo por segundo",
      en: "Catalog calls per second",
    },
  },
  transactions_rate: {
    type: "own",
    rule: RATE,
    words: {
      pt: "Chamadas a transações por segundo",
      es: "Llamadas a transacciones por segundo",
      en: "Transaction calls per second",
    },
  },
  reports_rate: {
    type: "own",
    rule: RATE,
    words: {
      pt: "Chamadas a relatórios por segundo",
      es: "Llamadas a reportes por segundo",
      en: "Report calls per second",
    },
  },
  wallet_concurrency: {
    type: "own",
    rule: "1 to 10,000",
    words: {
      pt: "Chamadas simultâneas à carteira",
      es: "Llamadas simultáneas a la billetera",
      en: "Wallet calls at once",
    },
  },
  enabled: {
    type: "flag",
    default: true,
    rule: "true (default) or false: see [admin-disable](#admin-disable)",
    words: { pt: "Ativo", es: "Activo", en: "Enabled" },
    flag: {
      help: "Whether the merchant's calls, launches and bets are accepted. Its wins, refunds and rollbacks are always accepted",
    },
    hasPlace: true,
  },
  trace_context: {
    type: "flag",
    default: false,
    rule: "true or false (default): whether wallet calls of a sampled trace have the header [`traceparent`](wallet-calls.md#wallet-traceparent)",
    words: {
      pt: "Cabeçalho traceparent nas chamadas à carteira",
      es: "Cabecera traceparent en las llamadas a la billetera",
      en: "Header traceparent in wallet calls",
    },
    flag: { help: "Whether wallet calls have the header traceparent, if their trace is sampled" },
  },
} as const satisfies Record<string, MerchantField>;

export type MerchantFieldName = keyof typeof MERCHANT_FIELDS;
type Fields = typeof MERCHANT_FIELDS;

/** The fields that need no code of their own. */
export type PlainFieldName = {
  [N in MerchantFieldName]: Fields[N] extends { readonly type: "text" | "flag" } ? N : never;
}[MerchantFieldName];
type ValueOf<F> = F extends { readonly type: "flag" }
  ? boolean
  : F extends { readonly nullable: true }
    ? string | null
    : string;

/** The plain fields of a merchant by their names in code. */
export type PlainFields = { readonly [N in PlainFieldName as CamelCase<N>]: ValueOf<Fields[N]> };
/** The plain fields of a request. undefined: not given. */
export type PlainInput = {
  readonly [N in PlainFieldName as CamelCase<N>]?:
    | (Fields[N] extends { readonly type: "flag" } ? boolean : string)
    | undefined;
};
