/** Requests that are answered with an error before the aggregator is asked. */
import { FieldFault, JsonFault } from "../json.ts";
import type { WireAnswer } from "../server.ts";

/** A connector makes a class of its own, with the type of its API's codes: `class Refused extends Refusal<Code> {}`. */
export class Refusal<T> extends Error {
  override readonly name = "Refusal";
  readonly answer: T;

  constructor(answer: T) {
    super(String(answer));
    this.answer = answer;
  }
}

/** Answers a request. A Refusal gets its own answer, and a body or a field of the wrong form gets `wrong`. */
export async function answering<T>(
  wrong: T,
  refusal: (answer: T) => WireAnswer,
  answer: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  try {
    return await answer();
  } catch (cause) {
    if (cause instanceof Refusal) return refusal(cause.answer as T);
    if (cause instanceof FieldFault || cause instanceof JsonFault) return refusal(wrong);
    throw cause;
  }
}
