import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Age } from "../../../parts/age.tsx";
import { Ask } from "../../../parts/dialog.tsx";
import { useDone } from "../../../parts/done.tsx";
import { Facts, Field } from "../../../parts/fields.tsx";
import { count } from "../../../parts/format.ts";
import { Shown } from "../../../parts/state.tsx";
import { call } from "../../../service/call.ts";
import type { Provider } from "../../../service/types.ts";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";
import { useMay } from "../../../shell/session-context.ts";
import { EnabledBadge } from "../merchants.tsx";
import { ProviderKeys } from "./provider-keys.tsx";
import { Sources } from "./sources.tsx";

interface Found {
  readonly provider: Provider;
}

interface PageProps {
  readonly query: Readonly<Record<string, string>>;
}

/** One provider: its state, its sources with how they answer, and its keys. */
export function ProviderPage({ query }: PageProps): VNode {
  const { code = "" } = query;
  const say = setUpWords.providers;
  const asked = useCall<Found>("admin.ProviderAdminService/GetProvider", { code });
  const [done, finished] = useDone(asked.again);
  return (
    <section>
      <p>
        <a href={addressOf("providers")}>{say.back}</a>
      </p>
      <h1 class="id">{code}</h1>
      {done}
      {asked.reply !== undefined && (
        <div class="fresh">
          <p>
            <Age at={asked.at} />
          </p>
          <button type="button" class="button small" onClick={asked.again}>
            {words.state.refresh}
          </button>
        </div>
      )}
      <Shown asked={asked}>
        {({ provider }: Found) => (
          <div class="columns">
            <div>
              <Settings provider={provider} onDone={finished} />
              <Sources provider={provider} onDone={finished} />
            </div>
            <div>
              <ProviderKeys provider={provider} onDone={finished} />
            </div>
          </div>
        )}
      </Shown>
    </section>
  );
}

interface SettingsProps {
  readonly provider: Provider;
  readonly onDone: (done: string) => void;
}

function Settings({ provider, onDone }: SettingsProps): VNode {
  const say = setUpWords.providers;
  const mayChange = useMay("manager");
  const [asked, setAsked] = useState<"name" | "active">();
  const [name, setName] = useState(provider.name);
  const { code, active = false } = provider;
  const close = (): void => setAsked(undefined);
  const change = (fields: object) => async (reason: string) => {
    await call("admin.ProviderAdminService/SetProvider", { code, ...fields, reason });
    close();
    onDone(words.merchants.changed);
  };
  const games = useCall<{ readonly total?: number }>("admin.CatalogAdminService/ListGames", {
    provider: code,
    limit: 1,
  });
  const text = active ? words.merchants.disable : words.merchants.enable;
  return (
    <section aria-labelledby="settings-title">
      <h2 id="settings-title">{words.merchants.settings}</h2>
      <Facts
        facts={[
          [words.merchants.state, <EnabledBadge enabled={active} />],
          [words.merchants.name, provider.name],
          [say.games, games.reply && count(games.reply.total)],
        ]}
      />
      {mayChange && (
        <div class="actions">
          <button type="button" class="button" onClick={() => setAsked("name")}>
            {say.rename}
          </button>
          <button type="button" class="button" onClick={() => setAsked("active")}>
            {text}
          </button>
        </div>
      )}
      <ul class="links">
        {mayChange && (
          <li>
            <a href={addressOf("audit", { target: `provider ${code}` })}>{say.whoChanged}</a>
          </li>
        )}
      </ul>
      {asked === "name" && (
        <Ask
          title={say.rename}
          act={words.merchants.save}
          reason={words.state.reason}
          isReasonRequired={false}
          onAct={change({ name: name.trim() })}
          onClose={close}
        >
          <Field label={words.merchants.name} value={name} onValue={setName} required maxLength={255} />
        </Ask>
      )}
      {asked === "active" && (
        <Ask
          title={text}
          act={text}
          reason={words.state.reason}
          isReasonRequired={active}
          onAct={change({ active: !active })}
          onClose={close}
        >
          <p>{active ? say.inactiveEffect : say.activeEffect}</p>
        </Ask>
      )}
    </section>
  );
}
