import {
  MERCHANT_FIELDS,
  type MerchantFieldName,
  type PlainFieldName,
  type PlainInput,
} from "../../../contract/merchants/fields.ts";
import { changedFields, type Fields } from "../../domain/access/audit.ts";
import { ipRangeText, parseIpRange } from "../../domain/access/ip-list.ts";
import { type FieldFault, ok, type Result } from "../../domain/errors.ts";
import { type MerchantLimits, merchantFaults } from "../../domain/merchant/merchant.ts";
import { changedPlain, PLAIN_DEFAULTS, PLAIN_FIELDS } from "../../domain/merchant/plain-fields.ts";
import {
  cancelRotation,
  finishRotation,
  type MerchantSecrets,
  OVERLAP_MAX_MS,
  OVERLAP_MIN_MS,
  rotateSecret,
  runningUntil,
} from "../../domain/merchant/secret-rotation.ts";
import type { WalletUrlRules } from "../../domain/merchant/wallet-url.ts";
import type { DbTime } from "../../domain/transaction/transaction.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import { formatInstant } from "../../domain/values/instant.ts";
import { isLanguage, languageTag } from "../../domain/values/language.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Decision, Found } from "../../ports/admin-store.ts";
import type { Random } from "../../ports/random.ts";
import type { Merchant, Product } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import {
  type AdminRequest,
  alreadyThere,
  auditEntry,
  type Changes,
  judge,
  notFound,
  reasonFaults,
  refuseFaults,
} from "./changes.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";
import { newSecret } from "./secrets.ts";

/** Fields of a merchant. undefined: the field does not change, or has its default in a new merchant. */
export interface MerchantInput extends PlainInput {
  readonly currency?: string | undefined;
  readonly brand?: string | undefined;
  readonly products?: readonly string[] | undefined;
  readonly ipList?: readonly string[] | undefined;
  /** Changes the given limits. 0: the service's own limit applies. */
  readonly limits?: { readonly [Name in keyof MerchantLimits]: number | undefined } | undefined;
}

/** Rules that depend on the environment of the service. */
export interface MerchantPolicy {
  readonly walletUrl: WalletUrlRules;
  /**
   * Whether a secret that is no longer accepted is kept, to tell a merchant that it still signs with the old secret.
   * Always false in production.
   */
  readonly keepsEndedSecret: boolean;
}

/** A merchant with its new secret. */
export interface NewSecret {
  readonly merchant: MerchantRecord;
  /** The secret's text. Only this result contains it. */
  readonly secret: string;
}

/** A merchant without its row id. */
export type MerchantRecord = Omit<Merchant, "id">;

/** Creates, changes and shows merchants. */
export class Merchants {
  readonly #changes: Changes;
  readonly #settings: Settings;
  readonly #random: Random;
  readonly #policy: MerchantPolicy;

  constructor(changes: Changes, settings: Settings, random: Random, policy: MerchantPolicy) {
    this.#changes = changes;
    this.#settings = settings;
    this.#random = random;
    this.#policy = policy;
  }

  async create(request: AdminRequest, code: string, input: MerchantInput): Promise<Result<NewSecret>> {
    const secret = newSecret(this.#random);
    const blank: MerchantRecord = {
      ...PLAIN_DEFAULTS,
      code,
      name: code,
      currency: "" as Currency,
      brand: "",
      products: [],
      ipList: [],
      limits: {},
      secret,
      secretVersion: 1,
      previousSecret: null,
      rotationEndsAt: null,
    };
    const made = await this.#changes.make({ merchant: code, brands: [input.brand ?? ""] }, (found) =>
      found.merchant === undefined
        ? this.#decide(request, "merchant create", undefined, input, blank, found)
        : alreadyThere("code"),
    );
    return made.ok ? ok({ merchant: made.value, secret }) : made;
  }

  /** Changes a merchant. The request must have a reason if it changes `walletUrl` or disables the merchant. */
  set(
    request: AdminRequest,
    code: string,
    input: MerchantInput,
    action = "merchant set",
  ): Promise<Result<MerchantRecord>> {
    const brands = input.brand === undefined ? [] : [input.brand];
    return this.#changes.make({ merchant: code, brands }, (found) =>
      found.merchant === undefined
        ? notFound("code")
        : this.#decide(request, action, found.merchant, input, found.merchant, found),
    );
  }

  enable(request: AdminRequest, code: string): Promise<Result<MerchantRecord>> {
    return this.set(request, code, { enabled: true }, "merchant enable");
  }

  /** Disables a merchant. The request must have a reason. */
  async disable(request: AdminRequest, code: string): Promise<Result<MerchantRecord>> {
    const faults = reasonFaults(request, true);
    return faults.length > 0 ? refuseFaults(faults) : this.set(request, code, { enabled: false }, "merchant disable");
  }

  /**
   * Creates a new secret. The request must have a reason.
   *
   * @param overlapMs - for how long the old secret is accepted beside the new secret. undefined: the old secret ends at
   * once.
   */
  async rotateSecret(request: AdminRequest, code: string, overlapMs?: number): Promise<Result<NewSecret>> {
    const secret = newSecret(this.#random);
    const faults = overlapFaults(overlapMs);
    const made = await this.#changeSecrets(request, "merchant rotate-secret", code, faults, (stored, now) =>
      rotateSecret(stored, now, secret, overlapMs ?? null, this.#keepsEnded),
    );
    return made.ok ? ok({ merchant: made.value, secret }) : made;
  }

  /** Ends an overlap early: from now on only the new secret is accepted. The request must have a reason. */
  finishRotation(request: AdminRequest, code: string): Promise<Result<MerchantRecord>> {
    return this.#changeSecrets(request, "merchant finish-rotation", code, [], (stored, now) =>
      finishRotation(stored, now, this.#keepsEnded),
    );
  }

  /**
   * Cancels a rotation during its overlap: from now on only the old secret is accepted. The request must have a reason.
   */
  cancelRotation(request: AdminRequest, code: string): Promise<Result<MerchantRecord>> {
    return this.#changeSecrets(request, "merchant cancel-rotation", code, [], (stored, now) =>
      cancelRotation(stored, now, this.#keepsEnded),
    );
  }

  /** When the overlap of a merchant's two secrets ends; null: only one secret is accepted. */
  rotationEndsAt(merchant: MerchantSecrets): DbTime | null {
    return runningUntil(merchant, this.#settings.databaseNow());
  }

  get #keepsEnded(): boolean {
    return this.#policy.keepsEndedSecret;
  }

  #changeSecrets(
    request: AdminRequest,
    action: string,
    code: string,
    inRequest: readonly FieldFault[],
    change: (stored: Merchant, now: DbTime) => Result<MerchantSecrets>,
  ): Promise<Result<MerchantRecord>> {
    return this.#changes.make({ merchant: code }, ({ merchant, now }) => {
      if (merchant === undefined) return notFound("code");
      const faults = [...inRequest, ...reasonFaults(request, true)];
      if (faults.length > 0) return refuseFaults(faults);
      const secrets = change(merchant, now);
      if (!secrets.ok) return secrets;
      const next: MerchantRecord = { ...merchant, ...secrets.value };
      const changes = changedFields(secretFields(merchant, now), secretFields(next, now));
      const audit = [auditEntry(request, action, `merchant ${code}`, changes)];
      return ok({ writes: [{ kind: "merchant", merchant: next }], audit, value: next });
    });
  }

  get(code: string): Promise<Result<Merchant>> {
    return this.#changes.read(() => {
      const merchant = this.#settings.merchant(code);
      return merchant === undefined ? notFound("code") : ok(merchant);
    });
  }

  /** @param brand - only merchants of this brand. Empty: the merchants of all brands. */
  list(brand: string, pageRequest: PageRequest): Promise<Result<Page<Merchant>>> {
    return this.#changes.read(() => {
      const merchants = this.#settings.merchants().filter((merchant) => brand === "" || merchant.brand === brand);
      return pageOf("merchants", merchants, ({ code }) => [code], pageRequest);
    });
  }

  #decide(
    request: AdminRequest,
    action: string,
    before: Merchant | undefined,
    input: MerchantInput,
    from: MerchantRecord,
    found: Found,
  ): Result<Decision<MerchantRecord>> {
    const merchant = next(from, input);
    const faults: FieldFault[] = [...merchantFaults(merchant, this.#policy.walletUrl)];
    // judge() removes the faults of unchanged fields.
    if (!found.brands.some(({ code }) => code === merchant.brand))
      faults.push(fieldFault("brand", "the code of a brand that exists"));
    if (found.merchantUsed) faults.push(fieldFault("currency", "never changed once the merchant has a player"));
    const moved = before !== undefined && merchant.walletUrl !== before.walletUrl;
    const disabled = before?.enabled === true && !merchant.enabled;
    const judged = judge(
      before && merchantFields(before),
      merchantFields(merchant),
      faults,
      reasonFaults(request, moved || disabled),
    );
    if (!judged.ok) return judged;
    if (judged.value.length === 0) return ok({ writes: [], audit: [], value: merchant });
    const audit = [auditEntry(request, action, `merchant ${merchant.code}`, judged.value)];
    return ok({ writes: [{ kind: "merchant", merchant }], audit, value: merchant });
  }
}

const overlapFaults = (overlapMs: number | undefined): FieldFault[] =>
  overlapMs === undefined || (overlapMs >= OVERLAP_MIN_MS && overlapMs <= OVERLAP_MAX_MS)
    ? []
    : [fieldFault("overlap", "1 second to 30 days")];

/** What the audit log contains about a merchant's secrets. */
const secretFields = (secrets: MerchantSecrets, now: DbTime): Fields => {
  const endsAt = runningUntil(secrets, now);
  return {
    secret_version: secrets.secretVersion,
    rotation_ends_at: endsAt === null ? null : formatInstant(endsAt),
  };
};

function next(from: MerchantRecord, input: MerchantInput): MerchantRecord {
  const plain = changedPlain(from, input);
  const { defaultLanguage: language } = plain;
  const limits: Record<string, number | undefined> = { ...from.limits, ...input.limits };
  return {
    ...from,
    ...plain,
    currency: (input.currency ?? from.currency) as Currency,
    brand: input.brand ?? from.brand,
    defaultLanguage: language !== null && isLanguage(language) ? languageTag(language) : language,
    products: (input.products ?? from.products) as readonly Product[],
    ipList: input.ipList === undefined ? from.ipList : [...new Set(input.ipList.map(canonicalRange))],
    limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined && limit !== 0)),
  };
}

const canonicalRange = (entry: string): string => {
  const range = parseIpRange(entry);
  return range === undefined ? entry : ipRangeText(range);
};

/** A merchant's fields by their names in the API, without the secrets. Each limit is a field. */
function merchantFields(merchant: MerchantRecord): Fields {
  const { launchRate, catalogRate, transactionsRate, reportsRate, walletConcurrency } = merchant.limits;
  const own: Readonly<Record<Exclude<MerchantFieldName, PlainFieldName>, Fields[string]>> = {
    currency: merchant.currency,
    brand: merchant.brand,
    products: merchant.products,
    ip_list: merchant.ipList,
    launch_rate: launchRate ?? null,
    catalog_rate: catalogRate ?? null,
    transactions_rate: transactionsRate ?? null,
    reports_rate: reportsRate ?? null,
    wallet_concurrency: walletConcurrency ?? null,
  };
  const plain = Object.fromEntries(PLAIN_FIELDS.map(({ name, property }) => [name, merchant[property]]));
  const all: Fields = { ...own, ...plain };
  const inOrder = Object.keys(MERCHANT_FIELDS).map((name) => [name, all[name]]);
  return { code: merchant.code, ...Object.fromEntries(inOrder) };
}
