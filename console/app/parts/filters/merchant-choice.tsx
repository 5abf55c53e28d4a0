import type { VNode } from "preact";
import type { Merchant, Paged } from "../../service/types.ts";
import { type Asked, useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { Choice, Field } from "../fields.tsx";

/** The most that one call lists. An installation with more merchants types their codes. */
const LIMIT = 500;

export interface Merchants extends Paged {
  readonly merchants?: readonly Merchant[];
}

export const useMerchants = (): Asked<Merchants> =>
  useCall<Merchants>("admin.MerchantAdminService/ListMerchants", { limit: LIMIT });

/** The merchant of the address, or the only one that there is. undefined: the reader must choose. */
export const chosenMerchant = (
  { merchant = "" }: Readonly<Record<string, string>>,
  { merchants = [], nextCursor }: Merchants,
): string | undefined =>
  merchant !== "" ? merchant : merchants.length === 1 && !nextCursor ? merchants[0]?.code : undefined;

interface MerchantChoiceProps {
  readonly merchants: Merchants;
  readonly value: string;
  readonly onValue: (code: string) => void;
  /** First entries, each of which stands for several merchants. */
  readonly all: readonly (readonly [value: string, text: string])[];
}

/** A merchant of the installation, or several of them. */
export function MerchantChoice({ merchants, value, onValue, all }: MerchantChoiceProps): VNode {
  const list = merchants.merchants ?? [];
  const label = words.merchants.merchant;
  if (merchants.nextCursor) {
    const values = all.map(([first]) => first).filter((first) => first !== "");
    return <Field label={label} value={value} onValue={onValue} list={[...values, ...list.map(({ code }) => code)]} />;
  }
  const options = list.map(({ code, currency }) => [code, `${code} (${currency})`] as const);
  return <Choice label={label} value={value} onValue={onValue} options={[...all, ...options]} />;
}
