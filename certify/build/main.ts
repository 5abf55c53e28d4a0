/** `npm run build:certify`: builds the package for npx and prints the tarball's path. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildPackage } from "./build-package.ts";

const folder = join(import.meta.dirname, "../../dist/certify");
await mkdir(folder, { recursive: true });
console.log(await buildPackage(folder));
