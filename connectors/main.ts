/**
 * `npm run connector -- <api>`: runs a connector. `npm run connector -- <api> <command>` runs one of its commands.
 * Without an api, and with --help, it prints the help.
 */
import { connectors } from "./connectors.ts";
import { allVariables, type Connector, startConnector } from "./frame/process.ts";
import { describeVariables, readSettings, SettingsError, type Variables } from "./frame/settings.ts";

const USAGE = `Connects the aggregator to games through the API that a provider or upstream speaks.

  npm run connector -- <api>            runs the connector until SIGTERM or SIGINT
  npm run connector -- <api> --help     its settings, which are environment variables, and its further commands

The APIs:
${Object.values(connectors)
  .map(({ name, title }) => `  ${name.padEnd(14)}${title}`)
  .join("\n")}
`;

const usageOf = (connector: Connector): string => `${connector.title}

  npm run connector -- ${connector.name}
${Object.entries(connector.commands ?? {})
  .map(([name, { usage }]) => `  npm run connector -- ${connector.name} ${name} ${usage}\n`)
  .join("")}
Its settings are environment variables:
${describeVariables(allVariables(connector))}
`;

/** @returns the exit code; undefined: the connector runs. */
async function run([name, ...words]: readonly string[]): Promise<number | undefined> {
  if (name === undefined || name === "--help" || name === "help") {
    process.stdout.write(USAGE);
    return name === undefined ? 2 : 0;
  }
  const connector = connectors[name];
  if (connector === undefined) {
    process.stderr.write(`There is no connector "${name}". Known: ${Object.keys(connectors).join(", ")}.\n`);
    return 2;
  }
  const [word, ...args] = words;
  if (word === "--help" || word === "help") {
    process.stdout.write(usageOf(connector));
    return 0;
  }
  if (word !== undefined) return runCommand(connector, word, args);
  const running = await startConnector(connector, process.env);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void running.stop().then(() => process.exit(0)));
  return undefined;
}

async function runCommand(connector: Connector, word: string, args: readonly string[]): Promise<number> {
  const command = connector.commands?.[word];
  if (command === undefined) {
    process.stderr.write(`There is no command "${word}" of ${connector.name}.\n\n${usageOf(connector)}`);
    return 2;
  }
  const needed: Variables = Object.fromEntries(
    Object.entries(connector.variables).filter(([name]) => command.needs.includes(name)),
  );
  return command.run(readSettings(needed, process.env), args);
}

try {
  const code = await run(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (cause) {
  if (cause instanceof SettingsError) process.stderr.write(`${cause.message}\n`);
  else console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}
