import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useDone } from "../../../parts/done.tsx";
import { Facts } from "../../../parts/fields.tsx";
import { Failed, Shown } from "../../../parts/state.tsx";
import { Failure } from "../../../service/failure.ts";
import type { Brand, Brands } from "../../../service/types.ts";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf, go } from "../../../shell/route.ts";
import { useMay } from "../../../shell/session-context.ts";
import { languageName } from "../language-name.ts";
import { type BrandDraft, BrandForm, draftOf, originsOf } from "./brand-form.tsx";
import { Preview } from "./preview.tsx";

interface PageProps {
  readonly query: Readonly<Record<string, string>>;
}

/** One brand, or a new one without `code`, beside a preview of its sportsbook. */
export function BrandPage({ query }: PageProps): VNode {
  const { code = "" } = query;
  const say = setUpWords.brands;
  return (
    <section>
      <p>
        <a href={addressOf("brands")}>{say.back}</a>
      </p>
      <h1 class={code === "" ? "" : "id"}>{code || say.create}</h1>
      {code === "" ? <NewBrand /> : <KnownBrand key={code} code={code} />}
    </section>
  );
}

interface Found {
  readonly brand: Brand;
  readonly sportsbookUrl?: string;
}

function KnownBrand({ code }: { readonly code: string }): VNode {
  const asked = useCall<Found>("admin.BrandAdminService/GetBrand", { code });
  const [done, finished] = useDone(asked.again);
  return (
    <>
      {done}
      <Shown asked={asked}>
        {({ brand, sportsbookUrl }: Found) => (
          <Edited brand={brand} shows={code} url={sportsbookUrl} onDone={() => finished(words.merchants.changed)} />
        )}
      </Shown>
    </>
  );
}

/** A new brand is previewed with the matches of another brand, because the sportsbook does not know it yet. */
function NewBrand(): VNode {
  const mayCreate = useMay("manager");
  const asked = useCall<Brands>(mayCreate ? "admin.BrandAdminService/ListBrands" : null, { limit: 1 });
  if (!mayCreate) return <Failed failure={new Failure("ROLE_NOT_ALLOWED", "")} />;
  return (
    <Shown asked={asked}>
      {({ brands = [], sportsbookUrl }: Brands) => (
        <Edited shows={brands[0]?.code} url={sportsbookUrl} onDone={(made: string) => go("brand", { code: made })} />
      )}
    </Shown>
  );
}

interface EditedProps {
  readonly brand?: Brand | undefined;
  /** The brand that the sportsbook shows in the preview; undefined: there is none yet. */
  readonly shows?: string | undefined;
  readonly url?: string | undefined;
  readonly onDone: (code: string) => void;
}

function Edited({ brand, shows, url, onDone }: EditedProps): VNode {
  const say = setUpWords.brands;
  const mayChange = useMay("manager");
  const [draft, setDraft] = useState<BrandDraft>(() => draftOf(brand));
  const allowThisPage = (): void =>
    setDraft((now) => ({ ...now, origins: [now.origins.trim(), location.origin].filter(Boolean).join("\n") }));
  const isAllowed = originsOf(draft).includes(location.origin);
  return (
    <div class="edited">
      <div>
        {mayChange ? (
          <BrandForm brand={brand} draft={draft} onDraft={setDraft} onDone={onDone} />
        ) : (
          <BrandFacts brand={brand} />
        )}
      </div>
      <section aria-labelledby="preview-title">
        <h2 id="preview-title">{say.preview}</h2>
        {url && shows ? (
          <Preview
            url={url}
            brand={shows}
            theme={draft.theme}
            layout={draft.layout}
            language={draft.language}
            onAllow={mayChange && brand !== undefined && !isAllowed ? allowThisPage : undefined}
          />
        ) : (
          <p class="notice">{url ? say.noBrandYet : say.noSportsbook}</p>
        )}
      </section>
    </div>
  );
}

const BrandFacts = ({ brand }: { readonly brand?: Brand | undefined }): VNode => (
  <Facts
    facts={[
      [words.merchants.name, brand?.name],
      [setUpWords.brands.theme, brand?.theme],
      [setUpWords.brands.layout, brand && setUpWords.brands.layouts[brand.layout]],
      [words.merchants.language, languageName(brand?.defaultLanguage)],
      [setUpWords.brands.origins, brand?.allowedOrigins?.join(", ")],
      [setUpWords.brands.settings, Object.keys(brand?.settings ?? {}).length > 0 && JSON.stringify(brand?.settings)],
    ]}
  />
);
