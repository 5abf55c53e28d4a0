/** The names of the contract's fields in code: `ref_tx_id` is `refTxId`. */

export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export const camelCase = <S extends string>(name: S): CamelCase<S> =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<S>;
