// What the estimator contract says of a field, worked out pel by pel.
import { componentBits, searchFCode, searchReach } from '../../src/motion/cost.js';
import type { EstimateRequest, EstimatorParameters, MotionField } from '../../src/motion/estimator.js';
import { compareVectors } from './vector-order.js';

/** What a vector costs by the contract, worked out pel by pel. */
export function trueCost(
  parameters: EstimatorParameters,
  { current, reference }: EstimateRequest,
  block: number,
  dx: number,
  dy: number,
): number {
  const { width, blockSize, metric, lambda } = parameters;
  const columns = width / blockSize;
  const x = (block % columns) * blockSize;
  const y = Math.floor(block / columns) * blockSize;
  let sum = 0;
  for (let j = 0; j < blockSize; j++) {
    for (let i = 0; i < blockSize; i++) {
      const a = current.pels[(y + j) * width + x + i];
      const b = reference.pels[(y + dy + j) * width + x + dx + i];
      sum += metric === 'sad' ? Math.abs(a - b) : (a - b) ** 2;
    }
  }
  const fCode = searchFCode(parameters);
  return sum + Math.round(lambda * componentBits(dx, fCode)) + Math.round(lambda * componentBits(dy, fCode));
}

/** Legal displacements of a block, both ends included. */
export function legalWindow(parameters: EstimatorParameters, block: number) {
  const { width, height, blockSize } = parameters;
  const columns = width / blockSize;
  const x = (block % columns) * blockSize;
  const y = Math.floor(block / columns) * blockSize;
  const reach = searchReach(parameters);
  return {
    left: Math.max(-reach.x, -x),
    right: Math.min(reach.x, width - blockSize - x),
    top: Math.max(-reach.y, -y),
    bottom: Math.min(reach.y, height - blockSize - y),
  };
}

/** What is wrong with a field by the contract, one line each; nothing when it is right. */
export function faultsOf(parameters: EstimatorParameters, request: EstimateRequest, field: MotionField): string[] {
  const { width, height, blockSize, candidatesPerBlock: candidates } = parameters;
  const blocks = (width / blockSize) * (height / blockSize);
  const faults: string[] = [];
  for (const [name, array] of Object.entries({ dx: field.dx, dy: field.dy, cost: field.cost })) {
    if (array.length !== blocks * candidates) faults.push(`${name} has ${array.length} entries`);
  }
  for (let block = 0; block < blocks; block++) {
    const window = legalWindow(parameters, block);
    let filling = false;
    for (let k = 0; k < candidates; k++) {
      const at = block * candidates + k;
      const entry = { dx: field.dx[at], dy: field.dy[at], cost: field.cost[at] };
      const where = `block ${block}, candidate ${k}: (${entry.dx}, ${entry.dy}) at ${entry.cost}`;
      if (entry.dx < window.left || entry.dx > window.right || entry.dy < window.top || entry.dy > window.bottom) {
        faults.push(`${where} is out of range`);
        continue;
      }
      const cost = trueCost(parameters, request, block, entry.dx, entry.dy);
      if (cost !== entry.cost) faults.push(`${where} costs ${cost}`);
      if (k === 0) continue;
      const order = compareVectors({ dx: field.dx[at - 1], dy: field.dy[at - 1], cost: field.cost[at - 1] }, entry);
      if (order > 0) faults.push(`${where} comes after a worse one`);
      if (order < 0 && filling) faults.push(`${where} comes after a repeated one`);
      if (order === 0) filling = true;
    }
  }
  return faults;
}
