import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { chooseLanguage, LANGUAGE_NAMES } from "../../../look/language.ts";
import { LANGUAGES, type Language } from "../../../web-renderer/protocol.ts";
import { Choice } from "../parts/fields.tsx";
import { language, words } from "./language.ts";
import { chooseScheme, keptScheme, SCHEMES, type Scheme } from "./scheme.ts";
import { chooseZone, ZONE, ZONES } from "./zone.ts";

function show(chosen: string): void {
  chooseLanguage(chosen as Language);
  // `?lang=` would win over the choice.
  if (location.search === "") location.reload();
  else location.replace(`${location.pathname}?lang=${chosen}${location.hash}`);
}

/** The reader's own choices: language, look and time zone. */
export function Choices(): VNode {
  const [scheme, setScheme] = useState(keptScheme());
  const look = (chosen: string): void => {
    setScheme(chosen as Scheme);
    chooseScheme(chosen as Scheme);
  };
  return (
    <div class="choices">
      <Choice
        label={words.shell.language}
        value={language}
        onValue={show}
        options={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]])}
      />
      <Choice
        label={words.shell.scheme}
        value={scheme}
        onValue={look}
        options={SCHEMES.map((one) => [one, words.shell.schemes[one]])}
      />
      <Choice label={words.shell.zone} value={ZONE} onValue={chooseZone} options={ZONES.map((one) => [one, one])} />
    </div>
  );
}
