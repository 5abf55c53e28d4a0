import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.ts";

/** The statuses of frozen errors, which are created once and thrown often. */
const known = new WeakMap<ConnectError, StatusObject>();

/**
 * The status that grpc-js sends for an error, with the error's metadata as trailers and its details in
 * `grpc-status-details-bin`. For an error that is not a ConnectError, the status does not contain the cause.
 */
export function grpcStatus(cause: unknown): StatusObject {
  const error = cause instanceof ConnectError ? cause : new ConnectError("internal error", Code.Internal);
  if (!Object.isFrozen(error)) return statusOf(error);
  const status = known.get(error) ?? statusOf(error);
  known.set(error, status);
  return status;
}

function statusOf(error: ConnectError): StatusObject {
  // Connect and gRPC use the same numbers.
  const code: number = error.code;
  const metadata = new Metadata();
  for (const [name, value] of error.metadata) metadata.set(name, value);
  if (error.details.length > 0) {
    const details = error.details.map((detail) =>
      "desc" in detail
        ? anyPack(detail.desc, create(detail.desc, detail.value))
        : { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value },
    );
    const status = toBinary(StatusSchema, create(StatusSchema, { code, message: error.rawMessage, details }));
    metadata.set("grpc-status-details-bin", Buffer.from(status.buffer, status.byteOffset, status.byteLength));
  }
  return { code, details: error.rawMessage, metadata };
}
