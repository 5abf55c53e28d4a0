import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dialog, Secret } from "../../../parts/dialog.tsx";
import { Listing } from "../../../parts/more.tsx";
import { Empty } from "../../../parts/state.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import type { Paged, Provider } from "../../../service/types.ts";
import { usePages } from "../../../service/use-pages.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";
import { useMay } from "../../../shell/session-context.ts";
import { EnabledBadge } from "../merchants.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { HealthBadge, healthOf } from "./source-health.tsx";

interface Reply extends Paged {
  readonly providers?: readonly Provider[];
}

/** All providers, with how their sources answer. Each leads to its own page. */
export function Providers(): VNode {
  const say = setUpWords.providers;
  const mayCreate = useMay("manager");
  const asked = usePages<Reply>("admin.ProviderAdminService/ListProviders", {});
  const providers = asked.pages.flatMap((page) => page.providers ?? []);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly code: string; readonly key: string }>();
  const columns: Column<Provider>[] = [
    {
      title: words.merchants.code,
      isName: true,
      cell: ({ code }) => (
        <a class="id" href={addressOf("provider", { code })}>
          {code}
        </a>
      ),
    },
    { title: say.launches, cell: (provider) => <HealthBadge health={healthOf(provider)} /> },
    { title: words.merchants.name, cell: ({ name }) => name },
    { title: words.merchants.state, cell: ({ active }) => <EnabledBadge enabled={active} /> },
    { title: say.sources, cell: ({ sources = [] }) => sources.length, isFigure: true },
    { title: say.validKeys, cell: ({ keys = [] }) => keys.filter(({ revoked }) => !revoked).length, isFigure: true },
  ];
  return (
    <section>
      <h1>{say.title}</h1>
      <p class="lead">{say.lead}</p>
      {mayCreate && (
        <div class="actions">
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            {say.create}
          </button>
        </div>
      )}
      <Listing asked={asked} empty={providers.length === 0 ? <Empty title={say.none} /> : null}>
        <Table caption={say.title} columns={columns} rows={providers} keyOf={({ code }: Provider) => code} />
      </Listing>
      {isMaking && (
        <Dialog title={say.create} onClose={() => setMaking(false)}>
          <ProviderForm
            onCancel={() => setMaking(false)}
            onDone={(code: string, key: string) => {
              setMaking(false);
              setMade({ code, key });
              asked.first.again();
            }}
          />
        </Dialog>
      )}
      {made && <Secret title={say.newKey} text={say.keyText} secret={made.key} onClose={() => setMade(undefined)} />}
    </section>
  );
}
