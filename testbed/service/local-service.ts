import { readConfig } from "../../src/config.ts";
import { type Service, startService } from "../../src/service.ts";
import { isReady } from "./readiness.ts";
import type { Running, ServicePorts } from "./replica.ts";

/**
 * The service in the test's own process, behind real sockets. It needs a fifth of the CPU time of a process of its own,
 * but it has no output, and it cannot be killed or paused.
 */
export class LocalService implements Running {
  readonly ports: ServicePorts;
  readonly #service: Service;

  private constructor(service: Service) {
    this.ports = service.ports;
    this.#service = service;
  }

  /** @param env - the variables of a process of the service. */
  static async start(env: Readonly<Record<string, string>>): Promise<LocalService> {
    return new LocalService(await startService(readConfig(env), { logLevel: "silent" }));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.ports.rest}`;
  }

  isReady(): Promise<boolean> {
    return isReady(this.origin);
  }

  /** Finishes the running calls, and stops. */
  stop(): Promise<void> {
    return this.#service.stop();
  }
}
