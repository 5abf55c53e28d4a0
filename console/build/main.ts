/** `npm run build:console`: builds the console into dist/console, where the service finds it, and prints the folder. */
import { builtConsole } from "./built-console.ts";

console.log(await builtConsole());
