import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Badge } from "../../../parts/badge.tsx";
import { Ask, Dialog } from "../../../parts/dialog.tsx";
import { duration } from "../../../parts/format.ts";
import { Empty } from "../../../parts/state.tsx";
import { call } from "../../../service/call.ts";
import type { Provider, Source } from "../../../service/types.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { useMay } from "../../../shell/session-context.ts";
import { SourceForm } from "./source-form.tsx";
import { SourceBadge, SourceHealth, SPORTSBOOK } from "./source-health.tsx";

interface SourcesProps {
  readonly provider: Provider;
  readonly onDone: (done: string) => void;
}

type Asked =
  | { readonly what: "add" }
  | { readonly what: "switch" | "remove"; readonly source: Source }
  | { readonly what: "change"; readonly source: Source; readonly place: number };

/** The provider's sources in the order in which launches try them. */
export function Sources({ provider, onDone }: SourcesProps): VNode {
  const say = setUpWords.providers;
  const mayChange = useMay("manager");
  const [asked, setAsked] = useState<Asked>();
  const { code, sources = [] } = provider;
  const close = (): void => setAsked(undefined);
  const done = (): void => {
    close();
    onDone(words.merchants.changed);
  };
  const change = (rpc: string, request: object) => async (reason: string) => {
    await call(`admin.ProviderAdminService/${rpc}`, { code, ...request, reason });
    done();
  };
  const row = (source: Source, i: number): VNode => (
    <li key={source.address} data-source={source.address}>
      <p>
        <strong class="id">{source.address}</strong> <SourceBadge source={source} />{" "}
        {!source.enabled && <Badge tone="bad" text={words.merchants.disabled} />}
      </p>
      <p>
        {say.limit}: {duration(source.deadlineMs ?? 0)}
      </p>
      <SourceHealth source={source} />
      {mayChange && (
        <div class="actions">
          {[
            [say.change, { what: "change", source, place: i + 1 }] as const,
            [switchText(source), { what: "switch", source }] as const,
            [say.remove, { what: "remove", source }] as const,
          ].map(([text, next]) => (
            <button
              key={text}
              type="button"
              class="button small"
              aria-label={`${text} ${source.address}`}
              onClick={() => setAsked(next)}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </li>
  );
  if (code === SPORTSBOOK)
    return (
      <section aria-labelledby="sources-title">
        <h2 id="sources-title">{say.sources}</h2>
        <p>{say.needless}</p>
      </section>
    );
  return (
    <section aria-labelledby="sources-title">
      <h2 id="sources-title">{say.sources}</h2>
      <p>{say.sourcesText}</p>
      {sources.length === 0 ? (
        <Empty title={say.noSources}>{say.noSourcesText}</Empty>
      ) : (
        <ol class="entries">{sources.map(row)}</ol>
      )}
      {mayChange && (
        <div class="actions">
          <button type="button" class="button" onClick={() => setAsked({ what: "add" })}>
            {say.addSource}
          </button>
        </div>
      )}
      {asked?.what === "add" && (
        <Dialog title={say.addSource} onClose={close}>
          <SourceForm provider={code} onDone={done} onCancel={close} />
        </Dialog>
      )}
      {asked?.what === "change" && (
        <Dialog title={`${say.change} ${asked.source.address}`} onClose={close}>
          <SourceForm provider={code} changed={asked} onDone={done} onCancel={close} />
        </Dialog>
      )}
      {asked?.what === "switch" && (
        <Ask
          title={`${switchText(asked.source)} ${asked.source.address}`}
          act={switchText(asked.source)}
          reason={words.state.reason}
          isReasonRequired={false}
          onClose={close}
          onAct={change("AddSource", { address: asked.source.address, enabled: asked.source.enabled !== true })}
        >
          <p>{asked.source.enabled ? say.disableEffect : say.enableEffect}</p>
        </Ask>
      )}
      {asked?.what === "remove" && (
        <Ask
          title={`${say.remove} ${asked.source.address}`}
          act={say.remove}
          reason={words.state.reason}
          isReasonRequired={false}
          onAct={change("RemoveSource", { address: asked.source.address })}
          onClose={close}
        >
          <p>{say.removeEffect}</p>
        </Ask>
      )}
    </section>
  );
}

const switchText = (source: Source): string => (source.enabled ? words.merchants.disable : words.merchants.enable);
