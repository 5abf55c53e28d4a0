import { make } from "../../design/dom.ts";
import type { Exchange, Translation } from "../wallet-client.ts";
import type { Words } from "../words/en.ts";

/** One call of an upstream in three steps: its own API, the provider API, and the wallet's callback. */
export function translated(translation: Translation, words: Words["backstage"]): HTMLDetailsElement {
  const step = (name: keyof Translation): HTMLElement =>
    make(
      "section",
      {},
      make("h3", {}, words.steps[name]),
      ...(translation[name].length === 0
        ? [make("p", {}, words.noStep[name])]
        : translation[name].map((exchange) => exchangeOf(exchange, words))),
    );
  return make(
    "details",
    { class: "translation" },
    make("summary", {}, words.inThreeSteps),
    make("div", { class: "three" }, step("upstream"), step("connector"), step("wallet")),
  );
}

function exchangeOf({ title, headers, request, answer }: Exchange, words: Words["backstage"]): HTMLElement {
  const { "content-type": _, ...told } = headers;
  const rows = { ...told, [words.sent]: request, [words.answered]: answer === "" ? words.noAnswerYet : answer };
  return make(
    "dl",
    {},
    make("dt", { class: "title" }, title),
    ...Object.entries(rows).flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]),
  );
}
