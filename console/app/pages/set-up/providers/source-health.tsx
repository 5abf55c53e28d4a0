import type { VNode } from "preact";
import { Badge, type Tone } from "../../../parts/badge.tsx";
import { count, duration, time } from "../../../parts/format.ts";
import type { Provider, Source } from "../../../service/types.ts";
import { setUpWords } from "../../../shell/language.ts";

/** The provider of the sportsbook. Its service opens the sportsbook itself, so it has no sources. */
export const SPORTSBOOK = "SPORTSBOOK";

/** Whether launches succeed: the last result counts. */
type Health = "needless" | "none" | "untried" | "works" | "fails" | "mixed";

const at = (instant: string | undefined): number => (instant === undefined ? 0 : Date.parse(instant));

function stateOf({ health }: Source): "untried" | "works" | "fails" {
  if (health === undefined) return "untried";
  return at(health.lastOpenedAt) >= at(health.lastFailedAt) ? "works" : "fails";
}

/** How the enabled sources of a provider answer. */
export function healthOf({ code, sources = [] }: Provider): Health {
  if (code === SPORTSBOOK) return "needless";
  const states = new Set(sources.filter(({ enabled }) => enabled).map(stateOf));
  if (states.size === 0) return "none";
  if (states.has("fails")) return states.has("works") ? "mixed" : "fails";
  return states.has("works") ? "works" : "untried";
}

const TONES: Readonly<Record<Health, Tone>> = {
  needless: "plain",
  none: "bad",
  untried: "plain",
  works: "good",
  fails: "bad",
  mixed: "wait",
};

export const HealthBadge = ({ health }: { readonly health: Health }): VNode => (
  <Badge tone={TONES[health]} text={setUpWords.providers.health[health]} />
);

export const SourceBadge = ({ source }: { readonly source: Source }): VNode => <HealthBadge health={stateOf(source)} />;

/** How a source answered launches. If the last one failed: the cause, and what to do. */
export function SourceHealth({ source }: { readonly source: Source }): VNode {
  const say = setUpWords.providers;
  const { opened, failed, lastOpenedAt, lastOpenedMs, lastFailedAt, lastFault = "", lastFailure } = source.health ?? {};
  const advice = (say.advice as Readonly<Record<string, string>>)[lastFault];
  return (
    <>
      {source.health && <p>{say.counts(count(opened), count(failed))}</p>}
      {lastOpenedAt && <p>{say.lastOpened(time(lastOpenedAt), duration(lastOpenedMs ?? 0))}</p>}
      {lastFailedAt && (
        <p>
          {say.lastFailed(time(lastFailedAt))}{" "}
          <span class="id" lang="en">
            {lastFailure}
          </span>
        </p>
      )}
      {stateOf(source) === "fails" && advice && (
        <p class="advice">
          <strong>{say.toDo}</strong> {advice}
        </p>
      )}
    </>
  );
}
