import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ActForm } from "../../../parts/act-form.tsx";
import { Check, Choice, Field } from "../../../parts/fields.tsx";
import { Shown } from "../../../parts/state.tsx";
import { call } from "../../../service/call.ts";
import type { Merchant } from "../../../service/types.ts";
import { useCall } from "../../../service/use-call.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { addressOf } from "../../../shell/route.ts";

interface Games {
  readonly games?: readonly {
    readonly code: string;
    readonly name: string;
    readonly demoAvailable?: boolean;
  }[];
}

interface LaunchTestProps {
  readonly merchants: readonly Merchant[];
  readonly provider: string;
}

/** Launches a game of the provider for a player of a merchant, as the merchant's server would. */
export function LaunchTest({ merchants, provider }: LaunchTestProps): VNode {
  const asked = useCall<Games>("admin.CatalogAdminService/ListGames", { provider, active: true });
  return (
    <Shown asked={asked}>
      {({ games = [] }: Games) => <Form merchants={merchants} provider={provider} games={games} />}
    </Shown>
  );
}

function Form({ merchants, provider, games = [] }: LaunchTestProps & Games): VNode {
  const say = setUpWords.start;
  const [merchant, setMerchant] = useState(merchants[0]?.code ?? "");
  const [code, setCode] = useState(games[0]?.code ?? "");
  const [player, setPlayer] = useState("");
  const [isDemo, setDemo] = useState(false);
  const [url, setUrl] = useState("");
  const hasDemo = games.find((game) => game.code === code)?.demoAvailable === true;
  const act = async (): Promise<void> => {
    setUrl("");
    const reply = await call<{ readonly launchUrl: string }>("operator.LaunchService/LaunchGame", {
      merchant,
      provider,
      game: code,
      playerId: player.trim(),
      demo: hasDemo && isDemo,
    });
    setUrl(reply.launchUrl);
  };
  return (
    <>
      <p class="lead">{say.launchText(merchant)}</p>
      <ActForm act={say.launchAct} onAct={act}>
        <Choice
          label={words.merchants.merchant}
          value={merchant}
          onValue={setMerchant}
          options={merchants.map((one) => [one.code, `${one.code} (${one.currency})`])}
        />
        <Choice
          label={words.transactions.game}
          value={code}
          onValue={setCode}
          options={games.map((game) => [game.code, game.name])}
        />
        <Field
          label={words.transactions.player}
          value={player}
          onValue={setPlayer}
          required
          maxLength={128}
          hint={say.playerHint}
        />
        {hasDemo && <Check label={say.demo} isOn={isDemo} onChange={setDemo} />}
      </ActForm>
      <div aria-live="polite">
        {url !== "" && (
          <>
            <p class="done">{say.launched}</p>
            <p>
              <a {...(/^https?:/.test(url) && { href: url })} target="_blank" rel="noopener noreferrer">
                {say.open}
              </a>
            </p>
            <p>
              <a href={addressOf("transactions", { merchant })}>{say.next}</a>
            </p>
          </>
        )}
      </div>
    </>
  );
}
