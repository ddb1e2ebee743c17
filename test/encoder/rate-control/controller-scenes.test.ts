// What the rate controller does where a scene of another kind begins, and what later pictures know of anchors.
import { describe, expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { typicalErrors } from '../../../src/encoder/rate-control/forecast/bit-estimate.js';
import type { UpcomingPicture, UpcomingPictures } from '../../../src/encoder/rate-control/forecast/bit-model.js';
import type { BudgetSettings } from '../../../src/encoder/rate-control/picture-budget.js';
import { RateController } from '../../../src/encoder/rate-control/rate-controller.js';
import { resolveRate } from '../../../src/encoder/rate-control/rate-settings.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const PICTURES = 1000;
/** Where the other scene begins: long after the start, so that many pictures are under way. */
const CUT = 80;
const grid = macroblockGrid(64, 48);
const frameRate = { numerator: 25, denominator: 1 };
const shape = { grid, frameRate, sliceRows: [0], gop: 250, slices: 1, isLive: false, refreshed: 0 };
/** An I picture of the same scene. */
const FAMILIAR = CUT + 30;
const INTRA: readonly number[] = [0, CUT, FAMILIAR];
const typeOf = (index: number): PictureType => (INTRA.includes(index) ? 'I' : index % 3 === 1 ? 'P' : 'B');

/** The pictures after the cut have three times as many macroblocks with errors. */
function picture(codedNumber: number): UpcomingPicture {
  const type = typeOf(codedNumber);
  const errors = typicalErrors(type, codedNumber < CUT ? 12 : 36);
  return { ...({} as UpcomingPicture), type, codedNumber, errors };
}

/** A controller, and the budgets that it has given. */
class Coding {
  readonly controller: RateController;
  readonly budgets: BudgetSettings[] = [];
  #accepted = 0;

  /** `scaleOf`: the scale that a picture is coded at; its bits are its target. */
  constructor(
    readonly scaleOf: (budget: BudgetSettings, index: number) => number = ({ scale }) => scale,
    bitrate = 120_000,
  ) {
    const settings = resolveRate({ bitrate }, shape)!;
    this.controller = new RateController(settings, { ...shape, pattern: { bFrames: 2 } });
  }

  upcoming(index: number): UpcomingPictures {
    const length = Math.min(this.controller.window, PICTURES - index);
    return { pictures: Array.from({ length }, (_, ahead) => picture(index + ahead)), isEnd: false };
  }

  /** Begins pictures up to `end`; each is accepted when it has to be. Returns how many are counted for the last. */
  beginUpTo(end: number): number {
    let needed = 0;
    while (this.budgets.length < end) {
      const upcoming = this.upcoming(this.budgets.length);
      needed = this.controller.neededPictures(upcoming);
      while (this.#accepted < needed) this.accept(this.budgets[this.#accepted]!);
      this.budgets.push(this.controller.begin(upcoming));
    }
    return needed;
  }

  accept(budget: BudgetSettings, bits = budget.targetBits): void {
    const scale = this.scaleOf(budget, this.#accepted);
    const rows = { bits: new Float64Array(3), scales: new Float64Array(3).fill(scale) };
    this.controller.accept(this.#accepted++, { bits, scale, rows, isLast: false, budget });
  }

  /** Begins the I picture of the new scene, which takes many times its target; returns the better budget. */
  beginScene(): { first: BudgetSettings; better: BudgetSettings } {
    this.beginUpTo(CUT + 1);
    while (this.#accepted < CUT) this.accept(this.budgets[this.#accepted]!);
    const first = this.budgets[CUT]!;
    const attempt = { budget: first, bits: 8 * first.targetBits, scale: first.scale, attempts: 0 };
    return { first, better: this.controller.retry(attempt, this.upcoming(CUT))! };
  }
}

describe('an I picture that takes many times what was expected', () => {
  it('is coded again with a scale that is chosen anew, and knows the anchor before it', () => {
    const { first, better } = new Coding().beginScene();
    expect(first.isAwaited).toBe(true);
    expect(better.scale).toBeGreaterThan(1.5 * first.scale);
    expect(better.anchorScale).toBe(first.anchorScale);
  });

  it('is what later I pictures are compared with: one like it need not be awaited', () => {
    const coding = new Coding();
    const { better } = coding.beginScene();
    coding.accept(better);
    coding.beginUpTo(FAMILIAR + 1);
    expect(coding.budgets[FAMILIAR]).toMatchObject({ type: 'I', isAwaited: false, mayBeRepeated: false });
  });

  it('makes what is known of the pictures before it worth nothing', () => {
    /** The budgets after the cut, where the last pictures before it were coded at scales of a factor. */
    const budgetsAfter = (factor: number) => {
      const coding = new Coding(({ scale }, index) => (index > CUT - 10 && index < CUT ? factor * scale : scale));
      const { better } = coding.beginScene();
      coding.accept(better);
      coding.beginUpTo(CUT + 30);
      return coding.budgets.slice(CUT).map(({ scale, sharesAbove }) => [scale, sharesAbove]);
    };
    expect(budgetsAfter(3)).toEqual(budgetsAfter(1));
  });
});

describe('the scale of the newest anchor', () => {
  it('is that of the coded one, and while it is under way that of its budget', () => {
    const coding = new Coding(({ scale }) => 1.1 * scale);
    let newest = 0;
    for (let index = 1; index < 70; index++) {
      const counted = coding.beginUpTo(index + 1);
      const { scale } = coding.budgets[newest]!;
      expect(coding.budgets[index]!.anchorScale).toBe(newest < counted ? 1.1 * scale : scale);
      if (typeOf(index) !== 'B') newest = index;
    }
  });
});

it('a picture whose bits are a guess may take its target, also where that leaves too little for the others', () => {
  const coding = new Coding(undefined, 1000);
  coding.beginUpTo(1);
  const [budget] = coding.budgets as [BudgetSettings];
  expect(budget).toMatchObject({ isAwaited: true, scale: 31 });
  expect(budget.payableBits).toBeGreaterThanOrEqual(budget.targetBits);
});
