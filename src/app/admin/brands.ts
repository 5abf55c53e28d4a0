import type { Fields } from "../../domain/access/audit.ts";
import { ok, type Result } from "../../domain/errors.ts";
import { brandFaults, DEFAULT_LAYOUT, DEFAULT_THEME } from "../../domain/merchant/brand.ts";
import { fieldFault } from "../../domain/values/field-fault.ts";
import type { Decision, Found } from "../../ports/admin-store.ts";
import type { Brand } from "../../ports/settings-store.ts";
import type { Settings } from "../runtime/settings.ts";
import { type Asked, alreadyThere, auditEntry, type Changes, judge, notFound, reasonFaults } from "./changes.ts";
import { type Page, type PageAsked, pageOf } from "./page.ts";

/** What is said of a brand; undefined: nothing. */
export interface BrandSaid {
  readonly name?: string | undefined;
  readonly theme?: string | undefined;
  readonly layout?: string | undefined;
  /** Empty: none of its own. */
  readonly defaultLanguage?: string | undefined;
  /** Without the default language, which is kept among them. */
  readonly settings?: Fields | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** Brands, as the administration makes, changes and shows them. */
export class Brands {
  readonly #changes: Changes;
  readonly #settings: Settings;

  constructor(changes: Changes, settings: Settings) {
    this.#changes = changes;
    this.#settings = settings;
  }

  create(asked: Asked, code: string, said: BrandSaid): Promise<Result<Brand>> {
    const blank: Brand = { code, name: code, theme: DEFAULT_THEME, layout: DEFAULT_LAYOUT, settings: {}, allowedOrigins: [] };
    return this.#changes.make({ brands: [code] }, ({ brands: [known] }) =>
      known === undefined ? decide(asked, "brand create", undefined, said, blank) : alreadyThere("code"),
    );
  }

  set(asked: Asked, code: string, said: BrandSaid): Promise<Result<Brand>> {
    return this.#changes.make({ brands: [code] }, ({ brands: [known] }: Found) =>
      known === undefined ? notFound("code") : decide(asked, "brand set", known, said, known),
    );
  }

  get(code: string): Promise<Result<Brand>> {
    return this.#changes.read(() => {
      const brand = this.#settings.brand(code);
      return brand === undefined ? notFound("code") : ok(brand);
    });
  }

  list(asked: PageAsked): Promise<Result<Page<Brand>>> {
    return this.#changes.read(() => pageOf("brands", this.#settings.brands(), ({ code }) => [code], asked));
  }
}

function decide(asked: Asked, action: string, before: Brand | undefined, said: BrandSaid, from: Brand): Result<Decision<Brand>> {
  const brand: Brand = {
    ...from,
    name: said.name ?? from.name,
    theme: said.theme ?? from.theme,
    layout: said.layout ?? from.layout,
    settings: settingsOf(said, from),
    allowedOrigins: said.allowedOrigins ?? from.allowedOrigins,
  };
  const hidden = Object.hasOwn(said.settings ?? {}, "default_language") ? [fieldFault("settings", "no key default_language: that is a field of its own")] : [];
  const judged = judge(before && brandFields(before), brandFields(brand), brandFaults(brand), [...hidden, ...reasonFaults(asked)]);
  if (!judged.ok) return judged;
  if (judged.value.length === 0) return ok({ writes: [], audit: [], value: brand });
  return ok({ writes: [{ kind: "brand", brand }], audit: [auditEntry(asked, action, `brand ${brand.code}`, judged.value)], value: brand });
}

function settingsOf({ settings, defaultLanguage }: BrandSaid, from: Brand): Fields {
  const { default_language: language, ...others } = from.settings;
  const next = defaultLanguage ?? language ?? "";
  return { ...(settings ?? others), ...(next === "" ? {} : { default_language: next }) };
}

/** A brand by the wire's field names. */
function brandFields({ code, name, theme, layout, settings, allowedOrigins }: Brand): Fields {
  const { default_language = null, ...others } = settings;
  return { code, name, theme, layout, default_language, settings: others, allowed_origins: allowedOrigins };
}
