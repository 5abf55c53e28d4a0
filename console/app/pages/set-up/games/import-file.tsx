import type { VNode } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { ActForm } from "../../../parts/act-form.tsx";
import { Failed, Loading } from "../../../parts/state.tsx";
import { Failure } from "../../../service/failure.ts";
import { type ImportReply, importGames } from "../../../service/import-games.ts";
import { setUpWords, words } from "../../../shell/language.ts";
import { Difference, Faults, sumOf } from "./difference.tsx";
import { OneGame } from "./one-game.tsx";
import { Template } from "./template.tsx";

type State =
  | { readonly kind: "empty" }
  | { readonly kind: "checking"; readonly file: File }
  | { readonly kind: "failed"; readonly file: File; readonly failure: Failure }
  | { readonly kind: "checked"; readonly file: File; readonly reply: ImportReply }
  | { readonly kind: "done"; readonly file: File; readonly reply: ImportReply };

const formatOf = (file: File): "csv" | "json" | undefined =>
  /\.(csv|json)$/i.exec(file.name)?.[1]?.toLowerCase() as never;

const asFailure = (cause: unknown): Failure =>
  cause instanceof Failure ? cause : new Failure("NOT_READABLE", String(cause));

const hasFaults = ({ faultCount = 0 }: ImportReply): boolean => faultCount > 0;

/** Takes a file of games, shows what it would change or which lines are wrong, and then imports it. */
export function ImportFile({ onDone }: { readonly onDone?: () => void }): VNode {
  const say = setUpWords.games;
  const id = useId();
  const [state, setState] = useState<State>({ kind: "empty" });
  const newest = useRef<File>(undefined);
  const check = async (file: File): Promise<void> => {
    newest.current = file;
    setState({ kind: "checking", file });
    const next = await send(file, true, "").then(
      (reply): State => ({ kind: "checked", file, reply }),
      (cause: unknown): State => ({ kind: "failed", file, failure: asFailure(cause) }),
    );
    // Another file may have been chosen meanwhile.
    if (newest.current === file) setState(next);
  };
  const choose = (event: Event): void => {
    const file = (event.currentTarget as HTMLInputElement).files?.[0];
    if (file !== undefined) void check(file);
  };
  // Then the same file can be chosen again after it was corrected.
  const forget = (event: Event): void => {
    (event.currentTarget as HTMLInputElement).value = "";
  };
  return (
    <div class="card import">
      <div class="field">
        <label for={id}>{say.file}</label>
        <input
          id={id}
          type="file"
          accept=".csv,.json"
          aria-describedby={`${id}-hint`}
          onClick={forget}
          onChange={choose}
        />
        <small id={`${id}-hint`}>{say.fileHint}</small>
      </div>
      <Template />
      <OneGame onFile={(file) => void check(file)} />
      {state.kind === "checking" && (
        <>
          <p role="status">{say.checking}</p>
          <Loading />
        </>
      )}
      {state.kind === "failed" && <Failed failure={state.failure} again={() => void check(state.file)} />}
      {state.kind === "done" && !hasFaults(state.reply) && (
        <p role="status" class="done">
          {say.done} {sumOf(state.reply)}
        </p>
      )}
      {(state.kind === "checked" || state.kind === "done") && hasFaults(state.reply) && <Faults reply={state.reply} />}
      {state.kind === "checked" && !hasFaults(state.reply) && <Difference reply={state.reply} />}
      {state.kind === "checked" &&
        !hasFaults(state.reply) &&
        (state.reply.created ?? 0) + (state.reply.updated ?? 0) > 0 && (
          <ActForm
            act={say.act}
            reason={words.state.reason}
            isReasonRequired={false}
            onAct={async (reason: string) => {
              const reply = await send(state.file, false, reason);
              setState({ kind: "done", file: state.file, reply });
              onDone?.();
            }}
          >
            <p>{say.effect}</p>
          </ActForm>
        )}
    </div>
  );
}

function send(file: File, dryRun: boolean, reason: string): Promise<ImportReply> {
  const format = formatOf(file);
  if (format === undefined)
    return Promise.reject(
      new Failure("VALIDATION_ERROR", "", "", [{ field: "format", text: setUpWords.games.fileHint }]),
    );
  return importGames(file, { format, dryRun, reason });
}
