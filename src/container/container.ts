import "reflect-metadata";
import { Container } from "inversify";
import type { Config } from "../config.ts";
import { installFailpoints } from "../failpoints/install.ts";
import { bindAdministration } from "./administration.ts";
import { bindCapacity } from "./capacity.ts";
import { bindMerchantApi } from "./merchant.ts";
import { bindOutside, type Overrides } from "./outside.ts";
import { bindSettings } from "./settings.ts";
import { bindSportsbook } from "./sportsbook.ts";
import { DATABASE } from "./tokens.ts";
import { bindBackgroundWork, bindTransactions } from "./transactions.ts";

/**
 * Binds every class of the service to a container. Each class has one instance, which is created when it is first
 * needed. The container only creates the instances; `service.ts` starts and stops them.
 */
export function createContainer(config: Config, overrides: Overrides = {}): Container {
  const container = new Container({ defaultScope: "Singleton" });
  bindOutside(container, config, overrides);
  bindSettings(container, config);
  bindCapacity(container, config);
  bindTransactions(container, config);
  bindBackgroundWork(container, config);
  bindSportsbook(container, config);
  bindMerchantApi(container, config);
  bindAdministration(container, config);
  if (config.failpoints.length > 0) installFailpoints(container, config.failpoints, DATABASE);
  return container;
}
