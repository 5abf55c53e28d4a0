import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createFileRegistry,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  ScalarType,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import test from "ava";
import {
  GameService,
  file_aggregator_provider_v1_game_service as gameFile,
} from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import {
  file_aggregator_provider_v1_transaction_record as recordFile,
  TransactionRecordSchema,
} from "../../src/gen/aggregator/provider/v1/transaction_record_pb.ts";
import { file_aggregator_provider_v1_transaction_status as statusFile } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  WalletService,
  file_aggregator_provider_v1_wallet_service as walletFile,
} from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { checkout, page, table } from "./markdown.ts";

const run = promisify(execFile);
const provider = page("docs/provider.md");

type SupportedDesc = NonNullable<ReturnType<FileRegistry["get"]>>;

function typeOf(field: DescField): string {
  if (field.fieldKind === "message") return field.message.name;
  if (field.fieldKind === "list" && field.listKind === "message") return `repeated ${field.message.name}`;
  const optional = field.proto.proto3Optional ? "optional " : "";
  if (field.fieldKind === "enum") return `${optional}${field.enum.name}`;
  if (field.fieldKind === "scalar") return `${optional}${ScalarType[field.scalar].toLowerCase()}`;
  throw new Error(`${field.name} has a type that docs/provider.md doesn't know`);
}

/** The tables of docs/provider.md: the fields of each rpc, with their marks. */
const documented = (heading: string, rpc: string): string[][] =>
  table(provider, heading)
    .filter((row) => row[rpc] !== "-")
    .map((row) => [row.field ?? "", row.type ?? ""]);
/** The fields of the proto, in the order of the table. */
const declared = (message: DescMessage, order: readonly string[]): string[][] =>
  message.fields
    .map((field) => [field.name, typeOf(field)])
    .sort(([a = ""], [b = ""]) => order.indexOf(a) - order.indexOf(b));

/** The rpcs that only read have tables of their own. */
const isQuestion = ({ name }: { readonly name: string }): boolean =>
  ["GetTransaction", "GetRound", "GetSession"].includes(name);
/** Play, Reverse and EndRound have tables of their own. */
const movers = WalletService.methods.filter(
  (method) => !isQuestion(method) && !["Play", "Reverse", "EndRound"].includes(method.name),
);

for (const [heading, side, methods] of [
  ["Requests", "input", movers],
  ["Replies", "output", movers],
  ["Questions", "input", WalletService.methods.filter(isQuestion)],
  ["Answers", "output", WalletService.methods.filter(isQuestion)],
] as const) {
  test(`docs/provider.md's table of ${heading.toLowerCase()} has the fields of every rpc, with their types`, (t) => {
    const order = table(provider, heading).map((row) => row.field ?? "");
    t.is(new Set(order).size, order.length);
    for (const method of methods)
      t.deepEqual(documented(heading, method.name), declared(method[side], order), method.name);
  });
}

test("docs/provider.md has the fields of OpenGame, of Play, of Reverse, of EndRound and of a record, with their types", (t) => {
  const { openGame } = GameService.method;
  for (const [heading, message] of [
    ["TransactionRecord", TransactionRecordSchema],
    ["PlayRequest", WalletService.method.play.input],
    ["PlayResponse", WalletService.method.play.output],
    ["ReverseRequest", WalletService.method.reverse.input],
    ["ReverseResponse", WalletService.method.reverse.output],
    ["EndRoundRequest", WalletService.method.endRound.input],
    ["EndRoundResponse", WalletService.method.endRound.output],
    ["OpenGame", openGame.input],
    ["OpenGameResponse", openGame.output],
  ] as const) {
    t.deepEqual(
      table(provider, heading).map((row) => [row.field, row.type]),
      message.fields.map((field) => [field.name, typeOf(field)]),
    );
  }
});

test("the proto in docs/provider.md equals the real one: services, messages, fields, numbers and types", async (t) => {
  const folder = checkout(t, "docs/provider.md");
  await run("buf", ["build", join(folder, "provider.proto"), "--output", join(folder, "image.binpb")]);
  const copy = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(join(folder, "image.binpb"))));
  const real = [walletFile, gameFile, statusFile, recordFile].flatMap(({ messages, enums, services }) => [
    ...messages,
    ...enums,
    ...services,
  ]);
  const ours = [...copy].filter(({ typeName }) => typeName.startsWith("aggregator."));
  t.deepEqual(ours.map((desc) => desc.typeName).sort(), real.map((desc) => desc.typeName).sort());
  for (const desc of real) t.deepEqual(shape(copy.get(desc.typeName)), shape(desc), desc.typeName);
  // These options name the packages of generated code. So clients that are generated from either file have the same
  // names.
  for (const file of [...copy.files].filter(({ name }) => !name.startsWith("google/")))
    t.deepEqual(file.proto.options, walletFile.proto.options);
});

/** The form of a message as it is sent: numbers and types of its fields. */
function shape(desc: SupportedDesc | undefined): unknown {
  switch (desc?.kind) {
    case "message":
      return desc.fields.map((field) => [field.name, field.number, typeOf(field)]);
    case "enum":
      return desc.values.map((value) => [value.name, value.number]);
    case "service":
      return desc.methods.map((method) => [
        method.name,
        method.methodKind,
        method.input.typeName,
        method.output.typeName,
      ]);
    default:
      return desc?.kind;
  }
}
