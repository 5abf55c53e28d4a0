import type { Fields } from "../../domain/access/audit.ts";
import { ok, type Result } from "../../domain/errors.ts";
import { brandFaults, DEFAULT_LAYOUT, DEFAULT_THEME } from "../../domain/merchant/brand.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Decision, Found } from "../../ports/admin-store.ts";
import type { Brand } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type AdminRequest, alreadyThere, auditEntry, type Changes, judge, notFound, reasonFaults } from "./changes.ts";
import { type Page, type PageRequest, pageOf } from "./page.ts";

/** Fields of a brand. undefined: the field does not change, or has its default in a new brand. */
export interface BrandInput {
  readonly name?: string | undefined;
  readonly theme?: string | undefined;
  readonly layout?: string | undefined;
  /** The sportsbook's language for visitors. Empty: the brand has no default language. */
  readonly defaultLanguage?: string | undefined;
  /**
   * The settings without `default_language`. That setting is a separate field here, but it is stored with the settings.
   */
  readonly settings?: Fields | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** Creates, changes and shows brands. */
export class Brands {
  readonly #changes: Changes;
  readonly #settings: Settings;

  constructor(changes: Changes, settings: Settings) {
    this.#changes = changes;
    this.#settings = settings;
  }

  create(request: AdminRequest, code: string, input: BrandInput): Promise<Result<Brand>> {
    const blank: Brand = {
      code,
      name: code,
      theme: DEFAULT_THEME,
      layout: DEFAULT_LAYOUT,
      settings: {},
      allowedOrigins: [],
    };
    return this.#changes.make({ brands: [code] }, ({ brands: [known] }) =>
      known === undefined ? decide(request, "brand create", undefined, input, blank) : alreadyThere("code"),
    );
  }

  set(request: AdminRequest, code: string, input: BrandInput): Promise<Result<Brand>> {
    return this.#changes.make({ brands: [code] }, ({ brands: [known] }: Found) =>
      known === undefined ? notFound("code") : decide(request, "brand set", known, input, known),
    );
  }

  get(code: string): Promise<Result<Brand>> {
    return this.#changes.read(() => {
      const brand = this.#settings.brand(code);
      return brand === undefined ? notFound("code") : ok(brand);
    });
  }

  list(pageRequest: PageRequest): Promise<Result<Page<Brand>>> {
    return this.#changes.read(() => pageOf("brands", this.#settings.brands(), ({ code }) => [code], pageRequest));
  }
}

function decide(
  request: AdminRequest,
  action: string,
  before: Brand | undefined,
  input: BrandInput,
  from: Brand,
): Result<Decision<Brand>> {
  const brand: Brand = {
    ...from,
    name: input.name ?? from.name,
    theme: input.theme ?? from.theme,
    layout: input.layout ?? from.layout,
    settings: settingsOf(input, from),
    allowedOrigins: input.allowedOrigins ?? from.allowedOrigins,
  };
  const hidden = Object.hasOwn(input.settings ?? {}, "default_language")
    ? [fieldFault("settings", "no key default_language: that is a field of its own")]
    : [];
  const judged = judge(before && brandFields(before), brandFields(brand), brandFaults(brand), [
    ...hidden,
    ...reasonFaults(request),
  ]);
  if (!judged.ok) return judged;
  if (judged.value.length === 0) return ok({ writes: [], audit: [], value: brand });
  return ok({
    writes: [{ kind: "brand", brand }],
    audit: [auditEntry(request, action, `brand ${brand.code}`, judged.value)],
    value: brand,
  });
}

function settingsOf({ settings, defaultLanguage }: BrandInput, from: Brand): Fields {
  const { default_language: language, ...others } = from.settings;
  const next = defaultLanguage ?? language ?? "";
  return { ...(settings ?? others), ...(next === "" ? {} : { default_language: next }) };
}

/** A brand's fields by their names in the API. */
function brandFields({ code, name, theme, layout, settings, allowedOrigins }: Brand): Fields {
  const { default_language = null, ...others } = settings;
  return { code, name, theme, layout, default_language, settings: others, allowed_origins: allowedOrigins };
}
