/**
 * `npm run check` must refuse a misspelt prop of the console. Nothing runs this file: the type check reads it, and
 * fails at a line that expects an error and has none.
 */
import { Badge } from "../../console/app/parts/badge.tsx";
import { Field } from "../../console/app/parts/fields.tsx";

export const ofComponents = [
  // @ts-expect-error: the prop is called `tone`.
  <Badge key="badge" tome="good" text="on" />,
  // @ts-expect-error: `onValue` is missing.
  <Field key="field" label="Name" value="" />,
];
// @ts-expect-error: the attribute is called `class`.
export const ofElement = <p clas="note">Name</p>;
