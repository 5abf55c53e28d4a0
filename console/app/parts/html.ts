import htm from "htm";
import { h, type VNode } from "preact";

type Html = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// The package's types describe its CommonJS build, but the bundle takes its ES module.
const { bind } = htm as unknown as { bind: (this: unknown, make: typeof h) => Html };

/** Makes elements of a template. Values are always shown as text, never read as HTML. */
export const html: Html = bind.call(htm, h);
