// What every estimator checks when it is asked: its own state, the pictures' sizes, the length of the start field.
import { InputError } from '../errors.js';
import type { EstimateRequest, EstimatorParameters, LumaPicture, StartField } from './estimator.js';

/** The error of a call to an estimator that is closed. */
export function closedError(estimatorName: string): InputError {
  return new InputError(`the estimator ${estimatorName} is closed`);
}

/**
 * Throws an InputError that names the estimator unless both pictures have the size that it was made for, and a start
 * field has one vector a block.
 */
export function checkRequest(
  { current, reference, start }: EstimateRequest,
  parameters: EstimatorParameters,
  estimatorName: string,
): void {
  checkPictureSize(current, parameters, estimatorName);
  checkPictureSize(reference, parameters, estimatorName);
  if (start) checkStartLength(start, parameters, estimatorName);
}

function checkPictureSize(picture: LumaPicture, parameters: EstimatorParameters, estimatorName: string): void {
  const { id, width, height, pels }: LumaPicture = Object(picture);
  if (width === parameters.width && height === parameters.height && pels?.length === width * height) return;
  throw new InputError(
    `picture ${id} is ${width}x${height} with ${pels?.length} pels; ` +
      `${estimatorName} was made for ${parameters.width}x${parameters.height}`,
  );
}

function checkStartLength(
  { dx, dy }: StartField,
  { width, height, blockSize }: EstimatorParameters,
  estimatorName: string,
): void {
  const blocks = (width / blockSize) * (height / blockSize);
  if (dx.length === blocks && dy.length === blocks) return;
  throw new InputError(
    `the start field has ${dx.length} dx and ${dy.length} dy; ${estimatorName} takes one vector for each of ${blocks} blocks`,
  );
}
