import { type FieldFault, type Result, refuse } from "../../domain/errors.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import { anyText, type Parameters, parseQuery, type Query, wholeNumber } from "./query.ts";
import type { Success } from "./reply.ts";
import type { Call, Route } from "./route.ts";

interface Listing<P extends Parameters> {
  /** From `/v1` on; `{name}` matches one segment. */
  readonly path: string;
  /** Every parameter beside `limit` and `cursor`; what they are read to is compared with `===`. */
  readonly query: P;
  /** What a parameter is when it isn't sent, as it would be sent. */
  readonly defaults?: { readonly [Name in keyof P]?: string };
  readonly limit: { readonly standard: number; readonly max: number };
  /** How many texts tell where a page ended. */
  readonly position: number;
  readonly answer: (page: Page<P>) => Result<Success> | Promise<Result<Success>>;
}

interface Page<P extends Parameters> extends Call<P> {
  readonly limit: number;
  /** Where the page before ended; null: this is the first. */
  readonly after: readonly string[] | null;
  /** The cursor of the page that follows `position`; null when none does. */
  readonly nextCursor: (position: readonly string[] | null) => string | null;
}

type Texts = ReadonlyMap<string, string>;

const NOT_SENT: Cursor = { parameters: new Map(), position: [] };

/**
 * A listing in pages. Its cursor carries its parameters: beside one, `limit` may differ, and any other parameter only repeats the
 * listing's value (decisions: section 3).
 */
export function listing<P extends Parameters>({ path, query: own, defaults = {}, limit, position, answer }: Listing<P>): Route {
  const parameters = { ...own, limit: wholeNumber("limit", 1, limit.max), cursor: anyText };
  const read = (name: string, texts: Texts): unknown => {
    const text = texts.get(name) ?? (defaults as Readonly<Record<string, string>>)[name];
    return text === undefined ? undefined : own[name]?.read(text);
  };
  const isOurs = ({ parameters: texts }: Cursor): boolean => [...texts.keys()].every((name) => Object.hasOwn(own, name) && read(name, texts) !== undefined);

  return {
    method: "GET",
    segments: path.split("/"),
    answer: async (call, text) => {
      const name = [path, ...Object.values(call.path)].join(" ");
      const { values, texts, faults } = parseQuery(text, parameters);
      const sent: Texts = new Map([...texts].filter(([one]) => Object.hasOwn(own, one)));
      const cursor = texts.get("cursor");
      const begun = cursor === undefined ? NOT_SENT : readCursor(name, cursor, position);
      if (begun === undefined || !isOurs(begun)) return refuse("VALIDATION_ERROR", { details: [...faults, NOT_OURS] });

      const chosen = cursor === undefined ? sent : begun.parameters;
      const changed = [...sent.keys()].filter((one) => read(one, sent) !== undefined && read(one, sent) !== read(one, chosen));
      const all = [...faults, ...changed.map(otherThanBefore)];
      if (all.length > 0) return refuse("VALIDATION_ERROR", { details: all });
      return answer({
        ...call,
        query: Object.fromEntries(Object.keys(own).map((one) => [one, read(one, chosen)])) as Query<P>,
        limit: (values as { readonly limit?: number }).limit ?? limit.standard,
        after: cursor === undefined ? null : begun.position,
        nextCursor: (next) => (next === null ? null : writeCursor(name, chosen, next)),
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
