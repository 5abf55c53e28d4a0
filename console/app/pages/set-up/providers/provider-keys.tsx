import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Ask, Secret } from "../../../parts/dialog.tsx";
import { time } from "../../../parts/format.ts";
import { call } from "../../../service/call.ts";
import type { Key, Provider } from "../../../service/types.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { useMay } from "../../../shell/session-context.ts";
import { Revoke, StateBadge } from "../keys.tsx";

interface ProviderKeysProps {
  readonly provider: Provider;
  readonly onDone: (done: string) => void;
}

/** The keys with which the provider calls the service: a further key beside the others, or a new one in their place. */
export function ProviderKeys({ provider, onDone }: ProviderKeysProps): VNode {
  const say = setUpWords.providers;
  const mayChange = useMay("manager");
  const [asked, setAsked] = useState<"add" | "rotate" | Key>();
  const [secret, setSecret] = useState("");
  const close = (): void => setAsked(undefined);
  const make = (rpc: string, request: object) => async (reason: string) => {
    const { key } = await call<{ readonly key: string }>(rpc, { ...request, reason });
    close();
    setSecret(key);
    onDone(say.keyMade);
  };
  const { code, keys = [] } = provider;
  return (
    <section aria-labelledby="keys-title">
      <h2 id="keys-title">{say.keys}</h2>
      <ul class="entries">
        {keys.map((key) => (
          <li key={key.name} data-provider-key={key.name}>
            <p>
              <span class="id">{key.name}</span> <StateBadge of={key} />
            </p>
            <p>
              {setUpWords.keys.expires}: {key.expiresAt ? time(key.expiresAt) : setUpWords.keys.never}
            </p>
            {mayChange && key.revoked !== true && (
              <div class="actions">
                <button
                  type="button"
                  class="button small"
                  aria-label={setUpWords.keys.revokeOne(key.name)}
                  onClick={() => setAsked(key)}
                >
                  {setUpWords.keys.revoke}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <div class="actions">
          <button type="button" class="button" onClick={() => setAsked("add")}>
            {say.addKey}
          </button>
          <button type="button" class="button" onClick={() => setAsked("rotate")}>
            {say.rotate}
          </button>
        </div>
      )}
      {asked === "add" && (
        <Ask
          title={say.addKey}
          act={say.addKey}
          reason={words.state.reason}
          isReasonRequired={false}
          onAct={make("admin.KeyAdminService/CreateKey", { provider: code })}
          onClose={close}
        >
          <p>{say.addKeyEffect}</p>
        </Ask>
      )}
      {asked === "rotate" && (
        <Ask
          title={say.rotate}
          act={say.rotate}
          reason={words.state.reason}
          onAct={make("admin.ProviderAdminService/RotateProviderKey", { code })}
          onClose={close}
        >
          <p class="effect">{say.rotateEffect}</p>
        </Ask>
      )}
      {typeof asked === "object" && (
        <Revoke
          of={{ ...asked, provider: code }}
          onClose={close}
          onDone={() => {
            close();
            onDone(setUpWords.keys.revoked(asked.name));
          }}
        />
      )}
      {secret !== "" && <Secret title={say.newKey} text={say.keyText} secret={secret} onClose={() => setSecret("")} />}
    </section>
  );
}
