import "reflect-metadata";
import { Container } from "inversify";
import type { Config } from "../config.ts";
import { bindAdministration } from "./administration.ts";
import { bindCapacity } from "./capacity.ts";
import { bindGrpcServices } from "./grpc-services.ts";
import { bindMerchantApi } from "./merchant.ts";
import { bindOutside } from "./outside.ts";
import { bindSettings } from "./settings.ts";
import { bindSportsbook } from "./sportsbook.ts";
import { bindBackgroundWork, bindTransactions } from "./transactions.ts";

/**
 * Binds every class of the service to a container. Each class has one instance, which is created when it is first
 * needed. The container only creates the instances; `service.ts` starts and stops them.
 */
export function createContainer(config: Config, logLevel?: string): Container {
  const container = new Container({ defaultScope: "Singleton" });
  bindOutside(container, config, logLevel);
  bindSettings(container, config);
  bindCapacity(container, config);
  bindTransactions(container, config);
  bindBackgroundWork(container, config);
  bindSportsbook(container, config);
  bindMerchantApi(container, config);
  bindAdministration(container, config);
  bindGrpcServices(container);
  return container;
}
