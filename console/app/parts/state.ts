import type { ComponentChildren, VNode } from "preact";
import type { Failure } from "../service/failure.ts";
import type { Asked } from "../service/use-call.ts";
import { words } from "../shell/language.ts";
import { clock } from "./format.ts";
import { html } from "./html.ts";

/** A failure in the words of the reader, with the service's own message for a code that has no text here. */
export function failureText({ code, message, field, faults }: Failure): string {
  const known = (words.failures as Readonly<Record<string, string>>)[code];
  const fields =
    faults.length > 0 ? faults.map((fault) => `${fault.field}: ${fault.text}`) : field === "" ? [] : [field];
  return [known ?? [code, message].filter((part) => part !== "").join(": "), ...fields].join(" · ");
}

interface FailedProps {
  readonly failure: Failure;
  readonly again?: (() => void) | undefined;
}

export const Failed = ({ failure, again }: FailedProps): VNode => html`
  <div class="notice failed" role="alert" data-code=${failure.code}>
    <strong>${failure.code === "ROLE_NOT_ALLOWED" ? words.state.notAllowed : words.state.failed}</strong>
    <p>${failureText(failure)}</p>
    ${again && html`<button type="button" class="button" onClick=${again}>${words.state.again}</button>`}
  </div>
`;

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps): VNode => html`
  <div class="notice"><strong>${title}</strong>${children && html`<p>${children}</p>`}</div>
`;

export const Loading = (): VNode => html`
  <div class="loading" role="status">
    <span class="visually-hidden">${words.state.loading}</span>
    <div class="bone"></div><div class="bone"></div><div class="bone"></div><div class="bone"></div>
  </div>
`;

interface ShownProps<Reply> {
  readonly asked: Asked<Reply>;
  /** The page's content, from the reply. */
  readonly children: (reply: Reply) => ComponentChildren;
}

/** What an rpc answered, or that it has not yet, or why it failed. An older answer stays beside a failure. */
export function Shown<Reply>({ asked, children }: ShownProps<Reply>): VNode {
  const { reply, failure, again, isLoading, at } = asked;
  if (reply === undefined) {
    if (failure !== undefined && !isLoading) return html`<${Failed} failure=${failure} again=${again} />`;
    return html`<${Loading} />`;
  }
  return html`
    ${
      failure &&
      html`<div class="stale" role="alert">
        <p>${words.state.stale(clock(at))} ${failureText(failure)}</p>
        <button type="button" class="button small" onClick=${again}>${words.state.again}</button>
      </div>`
    }
    <div class="shown" aria-busy=${isLoading}>${children(reply)}</div>
  ` as VNode;
}
