import { promisify } from "node:util";
import webpack from "webpack";

/** Runs webpack for production. It strips the types itself. Throws an error that lists its errors and warnings. */
export async function bundle(configuration: webpack.Configuration): Promise<void> {
  const compiler = webpack({
    mode: "production",
    target: ["web", "es2022"],
    ...configuration,
    experiments: { typescript: true, ...configuration.experiments },
  });
  if (compiler === null) throw new Error("webpack has no configuration");
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings())
    throw new Error(`${String(configuration.entry)} was not built:\n${stats?.toString()}`);
}
