// The long form of the tests: `npm run test:soak`.

/** True: whole grids and many random cases instead of the choice that is made of them for every commit. */
export const IS_SOAK = process.env.MPEGPU_TEST_SOAK === '1';
