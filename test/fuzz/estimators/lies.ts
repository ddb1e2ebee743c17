// Estimators that break the contract, each in its own way.
import fc from 'fast-check';
import type {
  EstimateRequest,
  EstimatorParameters,
  MotionEstimator,
  MotionField,
} from '../../../src/motion/estimator.js';
import { oddValues, revived } from '../runner/special-values.js';

/** What an estimator does wrong, and from which request on. */
export interface Lie {
  readonly what: (typeof LIES)[number];
  /** A part of the field, a method or a trait. */
  readonly part: string;
  readonly value: unknown;
  /** Requests that are answered rightly before. */
  readonly after: number;
}

/** The ways, by what is touched. */
const PARTS = {
  field: ['dx', 'dy', 'cost', 'blockSize', 'blockColumns', 'blockRows', 'candidatesPerBlock'],
  entry: ['dx', 'dy', 'cost'],
  length: ['dx', 'dy', 'cost'],
  estimator: ['traits', 'device', 'estimate', 'close', 'statistics'],
  traits: ['name', 'runsOn', 'exhaustive'],
  answer: ['field'],
  throws: ['estimate', 'estimate at once', 'close', 'close at once', 'statistics', 'factory', 'factory at once'],
  never: ['estimate', 'close', 'factory'],
  late: ['estimate', 'close', 'factory'],
  mutated: ['dx', 'dy', 'cost'],
  factory: ['estimator'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const LIES = Object.keys(PARTS) as readonly (keyof typeof PARTS)[];

/** Random lies. */
export const lies: fc.Arbitrary<Lie> = fc.constantFrom(...LIES).chain(what =>
  fc.record({
    what: fc.constant(what),
    part: fc.constantFrom<string[]>(...PARTS[what]),
    value: fc.oneof(oddValues, fc.integer({ min: -3, max: 12 }), fc.constantFrom(32767, -32768, 17, 64)),
    after: fc.integer({ min: 0, max: 3 }),
  }),
);

/** Whether the encode may wait for ever, so that its user gives up. */
export const neverEnds = ({ what }: Lie): boolean => what === 'never';

const NEVER = new Promise<never>(() => {});
const LATE_MS = 20;
const late = () => new Promise(resolve => setTimeout(resolve, LATE_MS));

/** The name of the lying estimator, which an error must say. */
export const LIAR = 'liar';

/** Makes an estimator that searches nothing and tells the truth, but for `lie`. */
export async function createLiar(parameters: EstimatorParameters, lie: Lie): Promise<MotionEstimator> {
  const { what, part, after } = lie;
  const value = revived(lie.value);
  const does = (kind: Lie['what'], ...parts: string[]) => what === kind && parts.includes(part);
  const misbehave = async (place: string): Promise<void> => {
    if (does('throws', place)) throw value;
    if (does('never', place)) await NEVER;
    if (does('late', place)) await late();
  };
  let asked = 0;
  const estimate = (_: EstimateRequest): Promise<MotionField> => {
    const isHonest = asked++ < after;
    if (!isHonest && does('throws', 'estimate at once')) throw value;
    return (async () => {
      const field = zeroField(parameters);
      if (isHonest) return field;
      await misbehave('estimate');
      return lyingField(field, lie, value);
    })();
  };
  const close = (): Promise<void> => {
    if (does('throws', 'close at once')) throw value;
    return misbehave('close');
  };
  const traits = { name: LIAR, runsOn: 'js', exhaustive: false };
  const statistics = () => {
    if (does('throws', 'statistics')) throw value;
    return { busyMs: 1, pictures: asked };
  };
  const honest: Record<string, unknown> = { traits, device: 'a liar', estimate, close, statistics };
  if (does('throws', 'factory at once')) throw value;
  await misbehave('factory');
  if (what === 'factory') return value as MotionEstimator;
  if (what === 'estimator') honest[part] = value;
  if (what === 'traits') honest.traits = { ...traits, [part]: value };
  return honest as unknown as MotionEstimator;
}

/** A field without motion, as the contract wants it. Its costs are wrong, which an estimator may not be asked about. */
function zeroField({ width, height, blockSize, candidatesPerBlock }: EstimatorParameters): MotionField {
  const blockColumns = width / blockSize;
  const blockRows = height / blockSize;
  const entries = blockColumns * blockRows * candidatesPerBlock;
  const [dx, dy, cost] = [new Int16Array(entries), new Int16Array(entries), new Uint32Array(entries)];
  return { blockSize, blockColumns, blockRows, candidatesPerBlock, dx, dy, cost };
}

function lyingField(field: MotionField, { what, part }: Lie, value: unknown): MotionField {
  const array = field[part as 'dx'];
  switch (what) {
    case 'answer':
      return value as MotionField;
    case 'field':
      return { ...field, [part]: value } as MotionField;
    case 'length':
      return { ...field, [part]: array.slice(0, asNumber(value) & 7) };
    case 'entry':
      array.fill(asNumber(value));
      return field;
    case 'mutated':
      setTimeout(() => array.fill(asNumber(value)), LATE_MS >> 1);
      return field;
    default:
      return field;
  }
}

function asNumber(value: unknown): number {
  return typeof value === 'symbol' ? Number.NaN : Number(value);
}
