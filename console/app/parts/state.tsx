import type { ComponentChildren, VNode } from "preact";
import type { Failure } from "../service/failure.ts";
import type { Asked } from "../service/use-call.ts";
import { words } from "../shell/language.ts";
import { faultText, type Labels, labelOf } from "./fault-text.ts";
import { clock } from "./format.ts";

/**
 * A failure in the words of the reader, with the service's own message for a code that has no text here.
 *
 * @param labels - the labels of the form, where they differ from those of other forms.
 */
export function failureText({ code, message, field, faults }: Failure, labels?: Labels): string {
  if (faults.length > 0) return faults.map((fault) => faultText(fault, labels)).join(" ");
  const label = labelOf(field, labels);
  if (label !== undefined && code === "VALIDATION_ERROR") return words.faults.wrong(label);
  if (label !== undefined && code === "RECORD_NOT_FOUND") return words.faults.noRecord(label);
  const known = (words.failures as Readonly<Record<string, string>>)[code];
  return known ?? [code, message].filter((part) => part !== "").join(": ");
}

interface FailedProps {
  readonly failure: Failure;
  readonly again?: (() => void) | undefined;
  readonly labels?: Labels | undefined;
}

export function Failed({ failure, again, labels }: FailedProps): VNode {
  const isWrong = failure.code === "VALIDATION_ERROR";
  const { state, failures } = words;
  return (
    <div class="notice failed" role="alert" data-code={failure.code}>
      <strong>
        {failure.code === "ROLE_NOT_ALLOWED" ? state.notAllowed : isWrong ? failures.VALIDATION_ERROR : state.failed}
      </strong>
      <p>{failureText(failure, labels)}</p>
      {
        // The same question gets the same refusal.
        again && !isWrong && (
          <button type="button" class="button" onClick={again}>
            {state.again}
          </button>
        )
      }
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps): VNode => (
  <div class="notice">
    <strong>{title}</strong>
    {children && <p>{children}</p>}
  </div>
);

export const Loading = (): VNode => (
  <div class="loading" role="status">
    <span class="visually-hidden">{words.state.loading}</span>
    <div class="bone" />
    <div class="bone" />
    <div class="bone" />
    <div class="bone" />
  </div>
);

interface ShownProps<Reply> {
  readonly asked: Asked<Reply>;
  /** The labels of the form whose values are asked for, where they differ from those of other forms. */
  readonly labels?: Labels;
  /** The page's content, from the reply. */
  readonly children: (reply: Reply) => ComponentChildren;
}

/** What an rpc answered, or that it has not yet, or why it failed. An older answer stays beside a failure. */
export function Shown<Reply>({ asked, labels, children }: ShownProps<Reply>): VNode {
  const { reply, failure, again, isLoading, at } = asked;
  if (reply === undefined) {
    if (failure !== undefined && !isLoading) return <Failed failure={failure} again={again} labels={labels} />;
    return <Loading />;
  }
  return (
    <>
      {failure && (
        <div class="stale" role="alert">
          <p>
            {words.state.stale(clock(at))} {failureText(failure, labels)}
          </p>
          <button type="button" class="button small" onClick={again}>
            {words.state.again}
          </button>
        </div>
      )}
      <div class="shown" aria-busy={isLoading}>
        {children(reply)}
      </div>
    </>
  );
}
