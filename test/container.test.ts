import "reflect-metadata";
import test from "ava";
import { Container } from "inversify";
import { bind, implement, token } from "../src/container/bind.ts";

abstract class Port {
  abstract readonly name: string;
}
class Implementation extends Port {
  override readonly name = "implementation";
}
class Counter {
  readonly count = 1;
}
class Built {
  readonly port: Port;
  readonly counter: Counter;
  readonly size: number;
  constructor(port: Port, counter: Counter, size: number) {
    this.port = port;
    this.counter = counter;
    this.size = size;
  }
}

function sample(): Container {
  const container = new Container({ defaultScope: "Singleton" });
  implement(container, Port, Implementation, []);
  bind(container, Counter, []);
  return container;
}

test("a constructor gets its dependencies in their order, and then the other arguments", (t) => {
  const container = sample();
  bind(container, Built, [Port, Counter], 7);
  const built = container.get(Built);
  t.is(built.port, container.get(Port));
  t.is(built.counter, container.get(Counter));
  t.is(built.size, 7);
});

test("the compiler refuses a binding that does not fit its constructor or its token", (t) => {
  const container = sample();
  const count = token<number>("count");
  // @ts-expect-error: the order is wrong.
  bind(container, Built, [Counter, Port], 7);
  // @ts-expect-error: the last argument is missing.
  bind(container, Built, [Port, Counter]);
  // @ts-expect-error: the last argument has another type.
  bind(container, Built, [Port, Counter], "7");
  // @ts-expect-error: the token names a number, not a Counter.
  bind(container, Built, [Port, count], 7);
  // @ts-expect-error: a Counter is no Port.
  implement(container, Port, Counter, []);
  const wrong = () => {
    // @ts-expect-error: the token names a number.
    const text: string = container.get(count);
    return text;
  };
  t.throws(wrong, { message: /count/ });
});
