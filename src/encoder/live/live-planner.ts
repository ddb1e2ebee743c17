// Plans the pictures of a live encode: each by itself, as soon as its frame is there.
import type { ForecastPicture, Planner } from '../lookahead/picture-planner.js';
import type { LiveGroups } from './live-groups.js';

/** Gives each picture the plan that it got when its frame came. */
export class LivePlanner implements Planner {
  readonly usesMotion = false;
  readonly #groups: LiveGroups;

  constructor(groups: LiveGroups) {
    this.#groups = groups;
  }

  async plan(): Promise<ForecastPicture[]> {
    return [{ plan: this.#groups.takePlan(), fields: undefined, errors: undefined, scaleFactors: undefined }];
  }

  async end(): Promise<ForecastPicture[]> {
    return [];
  }
}
