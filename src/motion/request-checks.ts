// What every estimator checks of a request: the estimator is open, and the pictures have its size.
import { InputError } from '../errors.js';
import type { EstimateRequest, EstimatorParameters, LumaPicture } from './estimator.js';

/** The error of a call to an estimator that is closed. */
export function closedError(estimatorName: string): InputError {
  return new InputError(`the estimator ${estimatorName} is closed`);
}

/** Throws an InputError unless both pictures have the size that the estimator was made for. */
export function checkPictureSizes(
  { current, reference }: EstimateRequest,
  parameters: EstimatorParameters,
  estimatorName: string,
): void {
  checkPictureSize(current, parameters, estimatorName);
  checkPictureSize(reference, parameters, estimatorName);
}

function checkPictureSize(
  { id, width, height, pels }: LumaPicture,
  parameters: EstimatorParameters,
  estimatorName: string,
): void {
  if (width === parameters.width && height === parameters.height && pels.length === width * height) return;
  throw new InputError(
    `picture ${id} is ${width}x${height} with ${pels.length} pels; ` +
      `${estimatorName} was made for ${parameters.width}x${parameters.height}`,
  );
}
