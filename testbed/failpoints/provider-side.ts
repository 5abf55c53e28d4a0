import { subscribe } from "node:diagnostics_channel";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { fromBinary } from "@bufbuild/protobuf";
import type { ProviderWallet } from "../../src/adapters/grpc/provider/wallet.ts";
import type { Result } from "../../src/domain/errors.ts";
import { ownTxId, type TxId } from "../../src/domain/values/identifiers.ts";
import { PlaceBetResponseSchema, WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Failpoints } from "./failpoints.ts";

/** The rpcs that move money. */
const MONEY = ["placeBet", "payWin", "play", "refundBet", "rollbackWin", "reverse"] as const;
const MONEY_PATHS: ReadonlySet<string> = new Set(
  MONEY.map((name) => `/${WalletService.typeName}/${WalletService.method[name].name}`),
);

/** A request's own id. A Play has that of its bet. */
type Identified = { readonly txId: string } | { readonly bet?: { readonly txId: string } | undefined };
const idOf = (request: Identified): string => ("txId" in request ? request.txId : (request.bet?.txId ?? ""));

/** Adds the crash points CP1 and CP9 to the method of a use case. */
export const watchedUseCase =
  (failpoints: Failpoints) =>
  async <Request extends Identified, Reply>(
    real: (request: Request) => Promise<Result<Reply>>,
    request: Request,
  ): Promise<Result<Reply>> => {
    await failpoints.reach("CP1", [idOf(request)]);
    const result = await real(request);
    if (result.ok) await failpoints.reach("CP9", [idOf(request)]);
    return result;
  };

/** Adds the crash point CP0: before the caller's key is checked. */
export function watchRequests({ prototype }: typeof ProviderWallet, failpoints: Failpoints): void {
  for (const name of MONEY) {
    // The methods differ only in the types of their messages.
    const real = prototype[name] as ProviderWallet["placeBet"];
    const watched: ProviderWallet["placeBet"] = async function (this: ProviderWallet, request, context) {
      await failpoints.reach("CP0", [idOf(request)]);
      return real.call(this, request, context);
    };
    prototype[name] = watched as never;
  }
}

/** The size of the prefix of a gRPC data frame: whether the frame is compressed, and its length. */
const PREFIX_BYTES = 5;
const FLUSHED_MS = 5;

type Write = (chunk: Buffer, done: (error?: Error | null) => void) => boolean;

/** Adds the crash point CP10: half of the reply's message has been written. */
export function watchReplies(failpoints: Failpoints): void {
  subscribe("http2.server.stream.created", (message) => {
    const { stream, headers } = message as {
      readonly stream: ServerHttp2Stream;
      readonly headers: IncomingHttpHeaders;
    };
    if (!MONEY_PATHS.has(headers[":path"]?.toString() ?? "")) return;
    const write = stream.write.bind(stream) as Write;
    const end = stream.end.bind(stream) as () => ServerHttp2Stream;
    let written: Promise<void> = Promise.resolve();
    const halved = async (chunk: Buffer, done: (error?: Error | null) => void): Promise<void> => {
      // The replies of these rpcs have the id in the same field.
      const { txId } = fromBinary(PlaceBetResponseSchema, chunk.subarray(PREFIX_BYTES));
      const half = chunk.length >> 1;
      write(chunk.subarray(0, half), () => {});
      await new Promise((resolve) => void setTimeout(resolve, FLUSHED_MS));
      await failpoints.reach("CP10", txId === "" ? [] : [ownTxId(txId as TxId)]);
      write(chunk.subarray(half), done);
    };
    stream.write = ((chunk, done) => {
      written = halved(chunk, done);
      return true;
    }) satisfies Write as never;
    // The service ends the stream right after its message. The trailers follow the end.
    stream.end = (() => {
      void written.then(end);
      return stream;
    }) as never;
  });
}
