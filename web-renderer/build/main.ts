/** `npm run build:renderer`: builds the browser library and prints its folder. */
import { builtRenderer } from "./built-renderer.ts";

console.log(await builtRenderer());
