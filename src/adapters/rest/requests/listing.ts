import { readCursor, writeCursor } from "../../../app/merchant/cursor.ts";
import { type FieldFault, type Result, refuse } from "../../../domain/errors.ts";
import type { Success } from "../replies/reply.ts";
import type { Call, Route } from "../route.ts";
import { anyText, type Parameters, parseQuery, type Query, wholeNumber } from "./query.ts";

interface Listing<P extends Parameters> {
  /** From `/v1` on; `{name}` matches one segment. */
  readonly path: string;
  /** Every parameter beside `limit` and `cursor`; what they are read to is compared with `===`. */
  readonly query: P;
  /** What a parameter is when it isn't sent, as it would be sent. */
  readonly defaults?: { readonly [Name in keyof P]?: string };
  readonly limit: { readonly standard: number; readonly max: number };
  readonly answer: (page: Page<P>) => Result<Success> | Promise<Result<Success>>;
}

interface Page<P extends Parameters> extends Call<P> {
  readonly limit: number;
  /** Where the page before ended, as that page said; null: this is the first. */
  readonly after: Texts | null;
  /** The cursor of the page that follows `position`; null when none does. */
  readonly nextCursor: (position: Texts | null) => string | null;
}

type Texts = Readonly<Record<string, string>>;

/**
 * A listing in pages. Its cursor carries its parameters: beside one, `limit` may differ, and any other parameter only repeats the
 * listing's value (docs/specification/rest-api.md#rest-cursor-params).
 */
export function listing<P extends Parameters>({ path, query: own, defaults = {}, limit, answer }: Listing<P>): Route {
  const parameters = { ...own, limit: wholeNumber("limit", 1, limit.max), cursor: anyText };
  const read = (name: string, texts: Texts): unknown => {
    const text = texts[name] ?? (defaults as Texts)[name];
    return text === undefined ? undefined : own[name]?.read(text);
  };

  return {
    method: "GET",
    segments: path.split("/"),
    answer: async (call, text) => {
      const { code } = call.merchant;
      const name = [path, ...Object.values(call.path)].join(" ");
      const { values, texts, faults } = parseQuery(text, parameters);
      const sent: Texts = Object.fromEntries([...texts].filter(([one]) => Object.hasOwn(own, one)));
      const cursor = texts.get("cursor");
      const begun = cursor === undefined ? [sent] : readCursor(name, code, cursor);
      if (begun === undefined) return refuse("VALIDATION_ERROR", { details: [...faults, NOT_OURS] });

      const [chosen = {}, after = null] = begun as readonly [Texts?, Texts?];
      const changed = Object.keys(sent).filter((one) => read(one, sent) !== undefined && read(one, sent) !== read(one, chosen));
      const all = [...faults, ...changed.map(otherThanBefore)];
      if (all.length > 0) return refuse("VALIDATION_ERROR", { details: all });
      return answer({
        ...call,
        query: Object.fromEntries(Object.keys(own).map((one) => [one, read(one, chosen)])) as Query<P>,
        limit: (values as { readonly limit?: number }).limit ?? limit.standard,
        after,
        nextCursor: (next) => (next === null ? null : writeCursor(name, code, [chosen, next])),
      });
    },
  };
}

const NOT_OURS: FieldFault = { field: "cursor", rule: "a next_cursor of this listing", message: "cursor deve ser um next_cursor desta listagem." };

const otherThanBefore = (field: string): FieldFault => ({
  field,
  rule: "as in the listing that the cursor continues",
  message: `Junto com cursor, ${field} só pode repetir o valor da primeira página: repita-o ou omita ${field}.`,
});
