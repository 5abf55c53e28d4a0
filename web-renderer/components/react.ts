"use client";

import {
  type CSSProperties,
  createElement,
  forwardRef,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";
import { SBRenderer, type SBRendererLiveOptions, type SBRendererOptions } from "../sb-renderer.ts";
import { changes } from "./changes.ts";

export type { SBRendererError } from "../sb-renderer.ts";

/** The options of SBRenderer, and the element that the sportsbook fills. */
export interface SportsbookProps extends Omit<SBRendererOptions, "target" | "url"> {
  /** The sportsbook's address. */
  readonly url: string;
  readonly className?: string | undefined;
  /** By default the element is as high as its parent. */
  readonly style?: CSSProperties | undefined;
}

/** The methods of a `ref` of the component. */
export type SportsbookHandle = Pick<SBRenderer, "navigate" | "refreshBalance">;

/**
 * The sportsbook as a React component. Another `brand_id` or `url` mounts a new iframe. The component passes any other
 * changed property to updateOptions. An absent property keeps its last value.
 */
export const Sportsbook = forwardRef(function Sportsbook(
  properties: SportsbookProps,
  ref: Ref<SportsbookHandle>,
): ReactElement {
  // Without a prototype, so that a missing property is not one that another script added to Object.prototype.
  const own = { __proto__: null, ...properties } as SportsbookProps;
  const { brand_id, url, className, style, ...options } = own;
  const element = useRef<HTMLDivElement>(null);
  const renderer = useRef<SBRenderer>(undefined);
  /** The current options of the iframe. */
  const given = useRef<SBRendererLiveOptions>({});

  // StrictMode mounts twice: the first iframe is removed before it gets the token.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options are changed in place
  useEffect(() => {
    if (element.current === null) return;
    const mounted = new SBRenderer();
    renderer.current = mounted;
    mounted.initialize({ target: element.current, brand_id, url, ...options });
    given.current = options;
    return () => {
      renderer.current = undefined;
      mounted.kill();
    };
  }, [brand_id, url]);

  useEffect(() => {
    renderer.current?.updateOptions(changes(given.current, options));
    given.current = options;
  });

  useImperativeHandle(
    ref,
    () => ({
      navigate: (path) => renderer.current?.navigate(path),
      refreshBalance: () => renderer.current?.refreshBalance(),
    }),
    [],
  );

  return createElement("div", { ref: element, className, style: { height: "100%", ...style } });
});
