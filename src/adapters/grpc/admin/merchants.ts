import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { PlainFields } from "../../../../contract/merchants/fields.ts";
import type { MerchantRecord, Merchants } from "../../../app/admin/merchants.ts";
import type { PingWallet } from "../../../app/admin/ping-wallet.ts";
import { plainOf } from "../../../domain/merchant/plain-fields.ts";
import type {
  MerchantAdminService,
  PingWalletResponseSchema,
} from "../../../gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import type { MerchantSchema } from "../../../gen/aggregator/admin/v1/merchant_pb.ts";
import type { Ping } from "../../../ports/wallet-ping.ts";
import { toTimestamp } from "../messages/timestamp.ts";
import { unwrap } from "../server/refusal-error.ts";
import type { AdminHandlers } from "./service.ts";

/**
 * Serves aggregator.admin.v1.MerchantAdminService.
 *
 * @param apiUrl - the API address for merchants, without /v1.
 */
export function merchantHandlers(
  merchants: Merchants,
  pingWallet: PingWallet,
  apiUrl: () => string,
): AdminHandlers<typeof MerchantAdminService> {
  const shown = (merchant: MerchantRecord) => toMerchant(merchant, merchants.rotationEndsAt(merchant));
  return {
    async createMerchant({ code, name, reason, ...others }, caller) {
      const { merchant, secret } = unwrap(
        await merchants.create({ ...caller, reason }, code, { ...others, name: name || undefined }),
      );
      return { merchant: shown(merchant), secret, apiUrl: apiUrl() };
    },
    async setMerchant({ code, reason, products, ipList, ...others }, caller) {
      const fields = { ...others, products: products?.values, ipList: ipList?.values };
      return { merchant: shown(unwrap(await merchants.set({ ...caller, reason }, code, fields))) };
    },
    async getMerchant({ code }) {
      return { merchant: shown(unwrap(await merchants.get(code))), apiUrl: apiUrl() };
    },
    async listMerchants({ brand, ...page }) {
      const { items, nextCursor } = unwrap(await merchants.list(brand, page));
      return { merchants: items.map(shown), nextCursor };
    },
    async rotateSecret({ code, reason, overlap }, caller) {
      const overlapMs = overlap && Math.trunc(durationMs(overlap));
      const { merchant, secret } = unwrap(await merchants.rotateSecret({ ...caller, reason }, code, overlapMs));
      return { merchant: shown(merchant), secret };
    },
    async pingWallet({ code, player, reason }, caller) {
      const { ping, finding } = unwrap(await pingWallet.ping({ ...caller, reason }, code, player));
      return { ...finding, ...toPing(ping) };
    },
    async finishRotation({ code, reason }, caller) {
      return { merchant: shown(unwrap(await merchants.finishRotation({ ...caller, reason }, code))) };
    },
    async cancelRotation({ code, reason }, caller) {
      return { merchant: shown(unwrap(await merchants.cancelRotation({ ...caller, reason }, code))) };
    },
    async disableMerchant({ code, reason }, caller) {
      return { merchant: shown(unwrap(await merchants.disable({ ...caller, reason }, code))) };
    },
    async enableMerchant({ code, reason }, caller) {
      return { merchant: shown(unwrap(await merchants.enable({ ...caller, reason }, code))) };
    },
  };
}

const toPing = ({ reply, timings, requestId }: Ping): MessageInitShape<typeof PingWalletResponseSchema> => ({
  requestId,
  httpStatus: reply?.status ?? 0,
  error: reply?.answer.kind === "rejected" ? reply.answer.error : "",
  ...(reply?.answer.kind === "accepted" &&
    reply.answer.balanceMinor !== null && { balanceMinor: reply.answer.balanceMinor }),
  timings: Object.fromEntries(Object.entries(timings).filter(([, ms]) => ms !== null)),
});

/** Messages have no null: "" stands for a text that the merchant does not have. */
const plainMessage = (merchant: MerchantRecord) =>
  Object.fromEntries(
    Object.entries(plainOf(merchant)).map(([property, value]) => [property, value ?? ""]),
  ) as unknown as { readonly [N in keyof PlainFields]: NonNullable<PlainFields[N]> };

/** Copies the fields one by one, so that a secret can never be among them. */
const toMerchant = (
  merchant: MerchantRecord,
  rotationEndsAt: number | null,
): MessageInitShape<typeof MerchantSchema> => ({
  ...plainMessage(merchant),
  code: merchant.code,
  currency: merchant.currency,
  brand: merchant.brand,
  products: [...merchant.products],
  ipList: [...merchant.ipList],
  limits: { ...merchant.limits },
  secretVersion: merchant.secretVersion,
  ...(rotationEndsAt !== null && { rotationEndsAt: toTimestamp(rotationEndsAt) }),
});
