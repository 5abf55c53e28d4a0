/** `npm run build:renderer`: builds the browser library and says where it is. */
import { builtRenderer } from "./built-renderer.ts";

console.log(await builtRenderer());
