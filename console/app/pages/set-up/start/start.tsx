import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Badge } from "../../../parts/badge.tsx";
import { Secret } from "../../../parts/dialog.tsx";
import { useMerchants } from "../../../parts/filters/merchant-choice.tsx";
import { count, time } from "../../../parts/format.ts";
import { Shown } from "../../../parts/state.tsx";
import type { Brands, Merchant, Provider } from "../../../service/types.ts";
import { type Asked, useCall } from "../../../service/use-call.ts";
import { setUpWords } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";
import { BrandForm, draftOf } from "../brands/brand-form.tsx";
import { ImportFile } from "../games/import-file.tsx";
import { MerchantForm, MerchantSecret, type NewMerchant } from "../merchant-form.tsx";
import { ProviderForm } from "../providers/provider-form.tsx";
import { SourceForm } from "../providers/source-form.tsx";
import { SPORTSBOOK } from "../providers/source-health.tsx";
import { LaunchTest } from "./launch-test.tsx";

interface Providers {
  readonly providers?: readonly Provider[];
}
interface Games {
  readonly total?: number;
}

/**
 * Leads through the set-up of an empty installation: brand, merchant, provider, games, and a launch. What is done is
 * read from the service each time, so the page goes on where somebody stopped.
 */
export function Start(): VNode {
  const say = setUpWords.start;
  const brands = useCall<Brands>("admin.BrandAdminService/ListBrands", { limit: 1 });
  const merchants = useMerchants();
  const providers = useCall<Providers>("admin.ProviderAdminService/ListProviders", {});
  // The provider of the sportsbook exists in every installation, and has no games to launch at a source.
  const own = providers.reply?.providers?.filter(({ code }) => code !== SPORTSBOOK) ?? [];
  const provider = own.find(({ sources = [] }) => sources.length > 0) ?? own[0];
  const games = useCall<Games>(provider === undefined ? null : "admin.CatalogAdminService/ListGames", {
    provider: provider?.code,
    limit: 1,
  });
  // The secrets stand outside of what is read again, because nobody can read them a second time.
  const [made, setMade] = useState<NewMerchant>();
  const [key, setKey] = useState("");
  const onChange = (): void => {
    for (const asked of [brands, merchants, providers, games]) asked.again();
  };
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      <All of={[brands, merchants, providers, ...(provider === undefined ? [] : [games])]}>
        {() => (
          <Steps
            brand={brands.reply?.brands?.[0]?.code}
            merchants={merchants.reply?.merchants ?? []}
            provider={provider}
            games={games.reply?.total ?? 0}
            onChange={onChange}
            onMerchant={(merchant: NewMerchant) => {
              setMade(merchant);
              onChange();
            }}
            onKey={(text: string) => {
              setKey(text);
              onChange();
            }}
          />
        )}
      </All>
      {made && <MerchantSecret made={made} onClose={() => setMade(undefined)} />}
      {key !== "" && (
        <Secret
          title={setUpWords.providers.newKey}
          text={setUpWords.providers.keyText}
          secret={key}
          onClose={() => setKey("")}
        />
      )}
    </section>
  );
}

interface AllProps {
  readonly of: readonly Asked<object>[];
  readonly children: () => ComponentChildren;
}

/** Shows its content once every call has answered. */
function All({ of, children }: AllProps): VNode {
  const asked: Asked<object> = {
    reply: of.every(({ reply }) => reply !== undefined) ? {} : undefined,
    failure: of.find(({ failure }) => failure !== undefined)?.failure,
    isLoading: of.some(({ isLoading }) => isLoading),
    at: Math.min(...of.map(({ at }) => at)),
    again: () => {
      for (const one of of) one.again();
    },
  };
  return <Shown asked={asked}>{children}</Shown>;
}

interface StepsProps {
  readonly brand: string | undefined;
  readonly merchants: readonly Merchant[];
  readonly provider: Provider | undefined;
  /** The number of the provider's games. */
  readonly games: number;
  readonly onChange: () => void;
  readonly onMerchant: (made: NewMerchant) => void;
  readonly onKey: (key: string) => void;
}

interface Step {
  readonly title: string;
  /** What the step has made; empty: the step is not done. */
  readonly done: ComponentChildren;
  readonly form: ComponentChildren;
  /** Whether the form stays when the step is done. */
  readonly isRepeatable?: boolean;
}

function Steps({ brand, merchants, provider, games, onChange, onMerchant, onKey }: StepsProps): VNode {
  const say = setUpWords.start;
  const [draft, setDraft] = useState(() => draftOf());
  const { sources = [] } = provider ?? {};
  const merchant = merchants[0]?.code;
  const launchedAt = sources
    .flatMap(({ health }) => health?.lastOpenedAt ?? [])
    .sort((a, b) => Date.parse(b) - Date.parse(a))[0];
  const link = (page: string, code: string): VNode => (
    <a class="id" href={addressOf(page, { code })}>
      {code}
    </a>
  );
  const steps: readonly Step[] = [
    {
      title: say.brand,
      done: brand && link("brand", brand),
      form: <BrandForm draft={draft} onDraft={setDraft} onDone={onChange} />,
    },
    {
      title: say.merchant,
      done: merchant && link("merchant", merchant),
      form: <MerchantForm onDone={onMerchant} />,
    },
    {
      title: say.provider,
      done: provider && link("provider", provider.code),
      form: <ProviderForm onDone={(_: string, key: string) => onKey(key)} />,
    },
    {
      title: say.source,
      done: sources[0] && <span class="id">{sources[0].address}</span>,
      form: <SourceForm provider={provider?.code ?? ""} onDone={onChange} />,
    },
    {
      title: say.games,
      done: games > 0 && say.gamesThere(count(games)),
      form: (
        <>
          <p>{say.gamesText(provider?.code ?? "")}</p>
          <ImportFile onDone={onChange} />
        </>
      ),
    },
    {
      title: say.launch,
      done: launchedAt && say.launchedAt(time(launchedAt)),
      form: <LaunchTest merchants={merchants} provider={provider?.code ?? ""} />,
      isRepeatable: true,
    },
  ];
  const current = steps.findIndex(({ done }) => !done);
  return (
    <ol class="steps">
      {steps.map(({ title, done, form, isRepeatable }, i) => {
        const isOpen = i === current || (isRepeatable && current === -1);
        return (
          <li key={title} class="card" aria-current={i === current ? "step" : undefined}>
            <h2>
              {i + 1}. {title} {done && <Badge tone="good" text={say.done} />}
              {i === current && <Badge tone="wait" text={say.isNext} />}
            </h2>
            {done ? <p>{done}</p> : !isOpen && <p class="lead">{say.later}</p>}
            {isOpen && form}
          </li>
        );
      })}
    </ol>
  );
}
