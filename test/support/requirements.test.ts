// What the tests need of the machine: says in one line what is missing, and fails where it is demanded.
import { describe, expect, it } from 'vitest';
import { isDemanded, REQUIREMENTS, reasonMissing } from './requirements.js';

describe('MPEGPU_REQUIRE', () => {
  it('names only what there is to demand', () => {
    const named = (process.env.MPEGPU_REQUIRE ?? '').split(/\s+/).filter(Boolean);
    expect(named.filter(name => !(REQUIREMENTS as readonly string[]).includes(name))).toEqual([]);
  });
});

describe('this machine has', () => {
  for (const requirement of REQUIREMENTS) {
    const reason = reasonMissing(requirement);
    if (reason === undefined || isDemanded(requirement)) {
      it(requirement, () => expect(reason).toBeUndefined());
    } else {
      console.warn(`tests that need ${requirement} are skipped: ${reason}`);
      it.skip(`${requirement} [skipped: ${reason}]`, () => {});
    }
  }
});
