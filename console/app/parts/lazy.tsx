import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "../service/failure.ts";
import { Failed, Loading } from "./state.tsx";

/** A component whose code is loaded when it first appears. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => VNode {
  let known: ComponentType<Props> | undefined;
  return (props) => {
    const [view, setView] = useState<{ readonly Component: ComponentType<Props> } | Failure | undefined>(
      known && { Component: known },
    );
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (Component) => {
          known = Component;
          setView({ Component });
        },
        () => setView(new Failure("UNREACHABLE", "")),
      );
    }, []);
    // A browser may keep a failed file, and a new build has other names. A new load of the whole page solves both.
    if (view instanceof Failure) return <Failed failure={view} again={() => location.reload()} />;
    return view === undefined ? <Loading /> : <view.Component {...props} />;
  };
}
