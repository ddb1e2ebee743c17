// Writes a comparison as tables of comma-separated values.
import type { Comparison } from '../../compare/comparison/compare-estimators.js';
import type { RateOption } from '../../compare/comparison/compared-rates.js';
import type { EncodeRow, EstimatorRow } from '../../compare/comparison/rows.js';
import type { Spread } from '../../compare/comparison/spread.js';
import { BD_METHODS } from '../../compare/quality/bd-rate.js';
import { finitePsnr } from '../../encode-files/psnr-text.js';
import { type Cell, csvTable } from '../csv.js';

/** The column of the value that differs from encode to encode. */
const SETTING_COLUMNS: Readonly<Record<RateOption, string>> = {
  q: 'quantizer_scale',
  quality: 'quality',
  bitrate: 'bitrate_bits_per_s',
};

const PICTURE_COLUMNS = [
  ...['picture', 'type', 'bits', 'vector_bits', 'psnr_y_db', 'ssim_y'],
  ...['intra_macroblocks', 'predicted_macroblocks', 'skipped_macroblocks'],
];

/** A row for each picture of each encode, in display order. Equal pictures have 100 dB, as in `--json`. */
export function picturesCsv({ settings, rows }: Comparison): string {
  const body = rows.flatMap(({ estimator, encodes }) =>
    encodes.flatMap(({ value, pictures }) =>
      pictures.map(({ frame, type, bits, vectorBits, psnrY, ssimY, macroblocks }) => [
        ...[estimator, value, frame, type, bits, vectorBits, finitePsnr(psnrY), ssimY],
        ...[macroblocks.intra, macroblocks.predicted, macroblocks.skipped],
      ]),
    ),
  );
  return csvTable(['estimator', SETTING_COLUMNS[settings.option], ...PICTURE_COLUMNS], body);
}

/** The columns of an estimator, the same in all of its rows. */
const ESTIMATOR_COLUMNS: Readonly<Record<string, (row: EstimatorRow) => Cell>> = {
  estimator: row => row.estimator,
  own_name: row => row.name,
  device: row => row.device,
  outcome: row => row.outcome,
  ...spreadColumns('search_ms_per_picture', ({ searchMs }: EstimatorRow) => searchMs),
  sad_per_pel_before: ({ fields }) => fields?.sadPerPelBefore,
  sad_per_pel_after: ({ fields }) => fields?.sadPerPelAfter,
  agreement_share: ({ fields }) => fields?.agreement,
  bd_rate_psnr_percent: row => row.bdRatePercent,
  bd_rate_ssim_percent: row => row.bdRateSsimPercent,
  bd_rate_vmaf_percent: row => row.bdRateVmafPercent,
  ...bdRateColumns(),
};

/** The columns of an encode. */
const ENCODE_COLUMNS: Readonly<Record<string, (encode: EncodeRow) => Cell>> = {
  bits: ({ bits }) => bits,
  vector_bits: ({ vectorBits }) => vectorBits,
  psnr_y_db: ({ psnr }) => finitePsnr(psnr.y),
  psnr_u_db: ({ psnr }) => finitePsnr(psnr.u),
  psnr_v_db: ({ psnr }) => finitePsnr(psnr.v),
  psnr_all_db: ({ psnr }) => finitePsnr(psnr.all),
  ssim_y: ({ ssim }) => ssim.y,
  ssim_u: ({ ssim }) => ssim.u,
  ssim_v: ({ ssim }) => ssim.v,
  ssim_all: ({ ssim }) => ssim.all,
  vmaf: ({ vmaf }) => vmaf,
  ...spreadColumns('pictures_per_s', ({ framesPerSecond }: EncodeRow) => framesPerSecond),
  wait_share_median: ({ waitShare }) => waitShare?.median,
  setup_ms_median: ({ setupMs }) => setupMs?.median,
};

/** A row for each encode of each estimator; one without figures for an estimator that has no encodes. */
export function encodesCsv({ settings, rows }: Comparison): string {
  const body = rows.flatMap(row => {
    const ofEstimator = Object.values(ESTIMATOR_COLUMNS).map(column => column(row));
    const none = [undefined, ...Object.keys(ENCODE_COLUMNS).map(() => undefined)];
    if (row.encodes.length === 0) return [[...ofEstimator, ...none]];
    return row.encodes.map(encode => [
      ...ofEstimator,
      encode.value,
      ...Object.values(ENCODE_COLUMNS).map(column => column(encode)),
    ]);
  });
  const setting = SETTING_COLUMNS[settings.option];
  return csvTable([...Object.keys(ESTIMATOR_COLUMNS), setting, ...Object.keys(ENCODE_COLUMNS)], body);
}

/** The BD-rates of all methods: `bd_rate_psnr_cubic_percent` and so on. */
function bdRateColumns(): Record<string, (row: EstimatorRow) => Cell> {
  const columns: Record<string, (row: EstimatorRow) => Cell> = {};
  for (const quality of ['psnr', 'ssim', 'vmaf'] as const) {
    for (const method of BD_METHODS) {
      columns[`bd_rate_${quality}_${method}_percent`] = ({ bdRates }) => bdRates[quality][method];
    }
  }
  return columns;
}

/** The median, the least and the greatest of several runs. */
function spreadColumns<Row>(name: string, of: (row: Row) => Spread | undefined): Record<string, (row: Row) => Cell> {
  return {
    [`${name}_median`]: row => of(row)?.median,
    [`${name}_least`]: row => of(row)?.least,
    [`${name}_greatest`]: row => of(row)?.greatest,
  };
}
