// Writes assembly/generated/: the records, tables and numbers that AssemblyScript kernels share with src/.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const records = readdirSync(join(root, 'src/kernels/records')).map(file => `./src/kernels/records/${file}`);

/** What is shared beside src/kernels/records/. */
const SHARED = {
  './src/bitstream/macroblock-layout.ts': ['BLOCKS_PER_MACROBLOCK'],
  './src/bitstream/tables/block-codes.ts': [
    'RUN_LEVEL_TABLE_STRIDE',
    'LONG_ESCAPE_BITS',
    'END_OF_BLOCK',
    'COEFFICIENT_ESCAPE',
    'FIRST_ZERO_RUN_ONE',
  ],
  './src/bitstream/tables/macroblock-codes.ts': [
    'MACROBLOCK_INTRA',
    'MACROBLOCK_MOTION_BACKWARD',
    'MACROBLOCK_MOTION_BOTH',
    'MACROBLOCK_MOTION_FORWARD',
    'MACROBLOCK_PATTERN',
    'MACROBLOCK_QUANT',
    'MACROBLOCK_STUFFING',
  ],
  './src/bitstream/limits.ts': ['MAX_QUANTIZER_SCALE', 'QUANTIZER_SCALE_BITS'],
  './src/bitstream/slice-predictors.ts': ['DC_RESET'],
  './src/dct/decoder-range.ts': ['SAFE_MAGNITUDE'],
  './src/dct/quantize.ts': ['DC_OFFSET', 'DC_STEP', 'DC_STEP_SHIFT'],
  './src/dct/scan.ts': ['SCAN'],
  './src/dct/forward-dct.ts': ['COSINES', 'SQUARED_ERROR_SCALE'],
  './src/dct/inverse-dct.ts': ['INVERSE_COSINES'],
  './src/picture/rgb-to-frame.ts': [
    ...['Y_R', 'Y_G', 'Y_B', 'Y_OFFSET', 'CB_R', 'CB_G', 'CB_B', 'CR_R', 'CR_G', 'CR_B', 'C_OFFSET'],
  ],
  './src/macroblock/row/lagrangian.ts': ['HIGH_RATE_SCALE', 'SQUARED_ERROR_PER_BIT'],
  './src/macroblock/row/anchor-rows.ts': ['NEIGHBOUR_REACH'],
  './src/macroblock/row/intra-refresh.ts': ['EARLIEST_REFRESH', 'MAX_PREDICTED', 'TURN_PICTURES', 'TURN_STEP'],
  './src/macroblock/row/macroblock-scales.ts': ['MAX_KEPT_DEVIATION'],
  './src/macroblock/mode-limits.ts': [
    'CERTAIN_SKIP_BITS_B',
    'CERTAIN_SKIP_BITS_P',
    'CLIPPED_DISTORTION',
    'DEVIATION_FACTOR',
    'EARLY_SKIP_BITS',
    'EMPTY_BLOCK_SAD',
    'INCREMENT_BITS',
    'INTRA_BIAS_SAD',
    'MAX_DC_CHANGE',
    'MAX_KEPT_PART',
    'MAX_STARTS_B',
    'MAX_STARTS_P',
    'MAX_WAY_BITS',
    'MIN_BITS_FOR_SCALES',
    'MIN_INTRA_BITS',
    'REFINED_COST_FACTOR',
    'UNLIKELY_COST_PART',
    'ESTIMATED_BITS',
    'EXCESS_FACTOR',
    'REFINED_DEVIATION_FACTOR',
    'SPARSE_INTRA_BITS',
    'SPARSE_ZERO_VECTOR_BITS',
    'ENOUGH_SAD',
    'UNSEARCHED_SAD',
    'ZERO_VECTOR_FACTOR',
  ],
  './src/motion/search/neighbours.ts': ['NEIGHBOURS'],
  './src/picture/picture.ts': ['MACROBLOCK_SIZE'],
};

/** All that is shared, by name. */
async function loadShared() {
  const lines = records.map(path => `export * from '${path}';`);
  for (const [path, names] of Object.entries(SHARED)) lines.push(`export { ${names.join(', ')} } from '${path}';`);
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

/** A record as a class whose properties read and write memory; an array's property is the pointer to it. */
function recordClass({ name, fields, offsets, bytes }) {
  const properties = Object.entries(fields).flatMap(([field, { type, length, target }]) => {
    const place = `changetype<usize>(this), ${offsets[field]}`;
    if (length !== undefined) {
      return [`  @inline get ${field}(): usize { return changetype<usize>(this) + ${offsets[field]}; }`];
    }
    if (target !== undefined) {
      return [`  @inline get ${field}(): ${target} { return changetype<${target}>(load<usize>(${place})); }`];
    }
    return [
      `  @inline get ${field}(): ${type} { return load<${type}>(${place}); }`,
      `  @inline set ${field}(value: ${type}) { store<${type}>(changetype<usize>(this), value, ${offsets[field]}); }`,
    ];
  });
  return `/** ${bytes} bytes. */\n@unmanaged\nexport class ${name} {\n${properties.join('\n')}\n}\n`;
}

/** A number, a code printed as bits, or a table. */
function constant(name, value) {
  if (typeof value === 'number')
    return `export const ${name}: ${Number.isInteger(value) ? 'i32' : 'f64'} = ${value};\n`;
  if (typeof value === 'string') {
    return `export const ${name}: u32 = 0b${value};\nexport const ${name}_BITS: u32 = ${value.length};\n`;
  }
  if (name.endsWith('COSINES'))
    return value.map((cosine, k) => `export const ${name}_${k}: i16 = ${cosine};\n`).join('');
  return `export const ${name}: usize = memory.data<i8>([${value.flat().join(', ')}]);\n`;
}

function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const shared = await loadShared();
const isRecord = value => value?.fields !== undefined && value.offsets !== undefined;
const isData = value => ['number', 'string'].includes(typeof value) || Array.isArray(value);
const text = { records: '', tables: '' };
for (const [name, value] of Object.entries(shared)) {
  if (isRecord(value)) text.records += `\n${recordClass(value)}`;
  else if (isData(value)) text.tables += constant(name, value);
}
const from = 'Written by scripts/write-assembly-records.mjs from src/: not committed.';
writeIfChanged(join(root, 'assembly/generated/records.ts'), `// Records in kernel memory. ${from}\n${text.records}`);
writeIfChanged(join(root, 'assembly/generated/tables.ts'), `// Tables and numbers. ${from}\n\n${text.tables}`);
