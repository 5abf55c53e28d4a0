/** A receiver of traces by OTLP over HTTP. It decodes the protobuf with protobufjs, which the service does not use. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { loadSync, type ServiceDefinition } from "@grpc/proto-loader";

type Value = string | number | boolean;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty: the span has no parent. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: string;
  readonly failed: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, Value>>;
  /** The attributes of the process that sent the span. */
  readonly resource: Readonly<Record<string, Value>>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, Value>> & { readonly value: string };
}

interface Exported {
  readonly resource_spans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scope_spans: readonly {
      readonly spans: readonly {
        readonly trace_id: Buffer;
        readonly span_id: Buffer;
        readonly parent_span_id: Buffer;
        readonly name: string;
        readonly kind: string;
        readonly status: { readonly code: string } | null;
        readonly start_time_unix_nano: string;
        readonly end_time_unix_nano: string;
        readonly attributes: readonly KeyValue[];
      }[];
    }[];
  }[];
}

const definition = loadSync("testbed/otlp/trace.proto", {
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
});
const { Export } = definition["opentelemetry.proto.TraceService"] as ServiceDefinition;

/** Starts a receiver on a free port. */
export async function startReceiver() {
  const spans: ReceivedSpan[] = [];
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isExport = request.method === "POST" && request.url === "/v1/traces";
      if (!isExport || request.headers["content-type"] !== "application/x-protobuf") {
        response.writeHead(400).end();
        return;
      }
      requests.push(request.headers);
      spans.push(...spansOf(Export?.requestDeserialize(Buffer.concat(chunks)) as unknown as Exported));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** The headers of each request. */
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const spansOf = ({ resource_spans }: Exported): ReceivedSpan[] =>
  resource_spans.flatMap(({ resource, scope_spans }) =>
    scope_spans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.trace_id.toString("hex"),
        spanId: span.span_id.toString("hex"),
        parentId: span.parent_span_id.toString("hex"),
        name: span.name,
        kind: span.kind,
        failed: span.status?.code === "ERROR",
        startMs: Number(BigInt(span.start_time_unix_nano) / 1_000n) / 1_000,
        endMs: Number(BigInt(span.end_time_unix_nano) / 1_000n) / 1_000,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
  );

const valuesOf = (list: readonly KeyValue[]): Record<string, Value> =>
  Object.fromEntries(
    list.map(({ key, value }) => {
      const one = value[value.value] as Value;
      return [key, value.value === "int_value" ? Number(one) : one];
    }),
  );
