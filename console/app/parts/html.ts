import htm from "htm";
import { type ComponentChild, type ComponentChildren, h, type VNode } from "preact";
import { visible } from "../../../web-files/visible.ts";

type Html = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
type Make = (type: never, props: Readonly<Record<string, unknown>> | null, ...children: ComponentChildren[]) => VNode;

// The package's types describe its CommonJS build, but the bundle takes its ES module.
const { bind } = htm as unknown as { bind: (this: unknown, make: Make) => Html };

/** Texts are shown with their invisible characters written out. They often are ids that strangers have chosen. */
const shown = (child: ComponentChildren): ComponentChildren =>
  typeof child === "string" ? visible(child) : Array.isArray(child) ? child.map(shown as () => ComponentChild) : child;

const make: Make = (type, props, ...children) => {
  // A title is read, too. The value of a field is not changed, because the field must send it as it is.
  const title = props?.title;
  if (typeof title === "string") props = { ...props, title: visible(title) };
  return h(type, props as never, ...children.map(shown));
};

/** Makes elements of a template. Values are always shown as text, never read as HTML. */
export const html: Html = bind.call(htm, make);
