/** All families about data, infrastructure, containers and secrets. */

import { CLOUD } from './cloud.ts';
import { CLOUD_SEND } from './cloud-send.ts';
import { CLOUD_SERVICES } from './cloud-services.ts';
import { CONTAINERS } from './containers.ts';
import { DATA_CLIENTS } from './data.ts';
import { DATA_BROKERS } from './data-brokers.ts';
import { DATA_CODE } from './data-code.ts';
import { DATA_HTTP } from './data-http.ts';
import { DATA_MIGRATIONS } from './data-migrate.ts';
import { DATA_STORES } from './data-stores.ts';
import type { FamilyTable } from './family.ts';
import { INFRA_TOOLS } from './infra.ts';
import { SECRETS } from './secrets.ts';

export const DATA: readonly FamilyTable[] = [
  DATA_CLIENTS,
  DATA_STORES,
  DATA_BROKERS,
  DATA_MIGRATIONS,
  DATA_HTTP,
  DATA_CODE,
  INFRA_TOOLS,
  CLOUD,
  CLOUD_SEND,
  CLOUD_SERVICES,
  CONTAINERS,
  SECRETS,
];
