// What the macroblock tree keeps of pictures in kernel memory, and the weights that they hand on to their anchors.
import { InternalError } from '../../errors.js';
import { ALIGNMENT_BYTES, KernelMemory } from '../../kernels/kernel-memory.js';
import type { KernelChoice, Kernels } from '../../kernels/kernels.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import type { PredictedPicture } from './predicted-picture.js';

/** Bytes for each macroblock: of what was found of a picture, and of a dependence; see `WeightKernels`. */
const FOUND_BYTES = 22;
const DEPENDENCE_BYTES = 10;
/** Of what is kept of a picture: the bytes for each weight, at most, and the number of allocations. */
const NODE_BYTES = 5 * 8 + 2 * DEPENDENCE_BYTES;
const NODE_PARTS = 7;

/** Addresses of what is kept of a picture; see `WeightKernels`. */
interface TreeNode {
  /** What its macroblocks have been handed, their own 1 left out. */
  readonly weights: number;
  readonly squaredErrors: number;
  readonly divisors: number;
  /** By anchor: the dependence, and what it hands on there if it inherits nothing. */
  readonly dependences: readonly number[];
  readonly handed: readonly number[];
  /** The base scales that the divisors and `handed` were made for; 0 before. */
  divisorsScale: number;
  handedScale: number;
}

/** Room for the pictures of a window. What a picture depends on is found once, while it is in the windows. */
export class TreeMemory {
  readonly #columns: number;
  readonly #rows: number;
  /** How many weights a picture has. */
  readonly #count: number;
  readonly #memory: KernelMemory;
  readonly #kernels: Kernels;
  readonly #found: number;
  readonly #noWeights: number;
  readonly #free: TreeNode[];
  readonly #nodes = new Map<PredictedPicture, TreeNode>();

  private constructor({ mbWidth, mbHeight }: TreeGrid, memory: KernelMemory, kernels: Kernels, maxPictures: number) {
    const macroblocks = mbWidth * mbHeight;
    this.#columns = mbWidth;
    this.#rows = mbHeight;
    this.#count = (mbWidth + 1) * (mbHeight + 1);
    this.#memory = memory;
    this.#kernels = kernels;
    this.#found = memory.allocate(FOUND_BYTES * macroblocks);
    const allocateWeights = () => memory.allocate(8 * this.#count);
    const allocateDependence = () => memory.allocate(DEPENDENCE_BYTES * macroblocks);
    this.#noWeights = allocateWeights();
    this.#free = Array.from({ length: maxPictures }, () => ({
      weights: allocateWeights(),
      squaredErrors: memory.allocate(8 * macroblocks),
      divisors: memory.allocate(8 * macroblocks),
      dependences: [allocateDependence(), allocateDependence()],
      handed: [allocateWeights(), allocateWeights()],
      divisorsScale: 0,
      handedScale: 0,
    }));
  }

  /** Room for windows of up to `maxPictures` pictures. */
  static async create(grid: TreeGrid, maxPictures: number, kernels: KernelChoice): Promise<TreeMemory> {
    const nodeBytes = NODE_BYTES * (grid.mbWidth + 1) * (grid.mbHeight + 1) + NODE_PARTS * ALIGNMENT_BYTES;
    // One more has room for what was found of a picture, and for weights.
    const memory = new KernelMemory((maxPictures + 1) * nodeBytes);
    return new TreeMemory(grid, memory, await createKernels(memory, kernels), maxPictures);
  }

  /**
   * Finds what the macroblocks of the first picture of a window inherit from the pictures after it, which are in coded
   * order. Returns the index of the first weight in `values`; each row has one weight more than macroblocks. Undefined:
   * no picture is predicted from it. Valid until the next call.
   */
  inheritedBy(window: readonly PredictedPicture[], baseScale: number): number | undefined {
    const nodes = this.#nodesOf(window);
    const inheriting = new Set<number>();
    for (let i = window.length - 1; i > 0; i--) {
      const { plan, prediction } = window[i]!;
      if (!prediction) continue;
      const from = nodes.get(plan.displayNumber)!;
      const inherits = inheriting.has(plan.displayNumber);
      if (inherits) this.#setDivisors(from, baseScale);
      else this.#setHanded(from, prediction, baseScale);
      for (const [anchor, number] of [plan.forward, plan.backward].entries()) {
        const to = nodes.get(number!);
        if (!to) continue;
        if (!inheriting.has(number!)) this.#clear(to.weights);
        inheriting.add(number!);
        if (inherits) this.#handOn(from, anchor, from.weights, to.weights);
        else this.#kernels.addWeights(to.weights, from.handed[anchor]!, this.#count);
      }
    }
    const { displayNumber } = window[0]!.plan;
    return inheriting.has(displayNumber) ? nodes.get(displayNumber)!.weights / 8 : undefined;
  }

  /** The memory in which `inheritedBy` leaves weights. */
  get values(): Float64Array {
    return this.#memory.f64;
  }

  /** The nodes of a window by display numbers. Pictures that are not in it lose theirs. */
  #nodesOf(window: readonly PredictedPicture[]): ReadonlyMap<number, TreeNode> {
    const needed = new Set(window);
    for (const [picture, node] of this.#nodes) {
      if (needed.has(picture)) continue;
      this.#nodes.delete(picture);
      this.#free.push(node);
    }
    return new Map(window.map(picture => [picture.plan.displayNumber, this.#nodeOf(picture)]));
  }

  #nodeOf(picture: PredictedPicture): TreeNode {
    const known = this.#nodes.get(picture);
    if (known) return known;
    const node = this.#free.pop();
    if (!node) throw new InternalError('the macroblock tree has no room for a picture');
    this.#nodes.set(picture, node);
    node.divisorsScale = 0;
    node.handedScale = 0;
    if (picture.prediction) this.#describe(node, picture.prediction);
    return node;
  }

  /** Finds what the macroblocks of a picture depend on, from what was found of it; see `WeightKernels`. */
  #describe({ squaredErrors, dependences }: TreeNode, { sad, intra, motion }: PicturePrediction): void {
    const { u32, i16, u16 } = this.#memory;
    const macroblocks = sad.length;
    u32.set(sad, this.#found / 4);
    for (const [anchor, { sad: own, dx, dy }] of motion.entries()) {
      u32.set(own, this.#found / 4 + (1 + anchor) * macroblocks);
      i16.set(dx, this.#found / 2 + (6 + 2 * anchor) * macroblocks);
      i16.set(dy, this.#found / 2 + (7 + 2 * anchor) * macroblocks);
    }
    u16.set(intra, this.#found / 2 + 10 * macroblocks);
    this.#kernels.squareErrors(squaredErrors, this.#found, macroblocks);
    for (const anchor of motion.keys()) {
      const dependence = dependences[anchor]!;
      this.#kernels.findDependence(dependence, this.#found, this.#columns, this.#rows, anchor, motion.length);
    }
  }

  #setDivisors(node: TreeNode, baseScale: number): void {
    if (node.divisorsScale === baseScale) return;
    const perSquaredScale = 1 / (baseScale * baseScale);
    this.#kernels.findDivisors(node.divisors, node.squaredErrors, this.#columns * this.#rows, perSquaredScale);
    node.divisorsScale = baseScale;
  }

  /** What a picture that inherits nothing hands on: the same in every window, as long as the base scale is. */
  #setHanded(node: TreeNode, { motion }: PicturePrediction, baseScale: number): void {
    if (node.handedScale === baseScale) return;
    this.#setDivisors(node, baseScale);
    for (const anchor of motion.keys()) {
      const handed = node.handed[anchor]!;
      this.#clear(handed);
      this.#handOn(node, anchor, this.#noWeights, handed);
    }
    node.handedScale = baseScale;
  }

  #handOn({ dependences, divisors }: TreeNode, anchor: number, own: number, to: number): void {
    this.#kernels.handOnWeights(to, own, dependences[anchor]!, divisors, this.#columns, this.#rows);
  }

  #clear(weights: number): void {
    this.#memory.f64.fill(0, weights / 8, weights / 8 + this.#count);
  }
}

type TreeGrid = Pick<MacroblockGrid, 'mbWidth' | 'mbHeight'>;
