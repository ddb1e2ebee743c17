// Records in kernel memory: a list of fields gives offsets, size and typed access, and the class in AssemblyScript.
import type { KernelMemory } from '../kernel-memory.js';

/** Bytes of each element type. A `usize` is a pointer into kernel memory or a distance in bytes. */
const ELEMENT_BYTES = { u8: 1, i16: 2, i32: 4, usize: 4, f32: 4, f64: 8 } as const;
export type ElementType = keyof typeof ELEMENT_BYTES;
/** Where each element type is read from. */
const VIEWS = { u8: 'u8', i16: 'i16', i32: 'i32', usize: 'i32', f32: 'f32', f64: 'f64' } as const;
type ElementArray<Type extends ElementType> = KernelMemory[(typeof VIEWS)[Type]];

/** A field that holds one number. */
export interface ScalarField {
  readonly type: 'i32' | 'usize' | 'f64';
  readonly length?: undefined;
  /** Name of the record that a pointer points to. */
  readonly target?: string;
}
/** A field that holds `length` numbers. */
export interface ArrayField<Type extends ElementType = ElementType> {
  readonly type: Type;
  readonly length: number;
}
export type Fields = Readonly<Record<string, ScalarField | ArrayField>>;

export const i32: ScalarField = { type: 'i32' };
export const f64: ScalarField = { type: 'f64' };
export const usize: ScalarField = { type: 'usize' };

/** A pointer to another record. */
export function pointerTo({ name }: { readonly name: string }): ScalarField {
  return { type: 'usize', target: name };
}

/** `length` numbers one after the other. */
export function arrayOf<Type extends ElementType>(type: Type, length: number): ArrayField<Type> {
  return { type, length };
}

/**
 * A record at one place in memory: each scalar is a property to read and write, each array a typed array on the
 * memory.
 */
export type RecordAt<F extends Fields> = { readonly pointer: number } & {
  -readonly [Name in keyof F as F[Name] extends ArrayField ? never : Name]: number;
} & { readonly [Name in keyof F as F[Name] extends ArrayField ? Name : never]: ArrayView<F[Name]> };
type ArrayView<Field> = Field extends ArrayField<infer Type> ? ElementArray<Type> : never;

/** Values of some scalars of a record. */
export type ScalarValues<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends ArrayField ? never : Name]?: number;
};

/** What a record looks like. */
export interface RecordLayout<F extends Fields = Fields> {
  /** Its name in AssemblyScript. */
  readonly name: string;
  readonly fields: F;
  /** Where each field begins, in bytes. */
  readonly offsets: { readonly [Name in keyof F]: number };
  /** Bytes of the record. */
  readonly bytes: number;
}

/** A record and the way to it. */
export interface MemoryRecord<F extends Fields = Fields> extends RecordLayout<F> {
  /** The record at `pointer`, which is 16-byte aligned. An object: make it once, not per macroblock. */
  at(memory: KernelMemory, pointer: number): RecordAt<F>;
  /**
   * The index of a scalar of the record at `pointer` in the typed array of its element type. For reading per
   * macroblock: the properties of `at` serve all records, which V8 takes about 10 ns each for.
   */
  indexOf(pointer: number, field: keyof F): number;
  /** Takes a place in memory and writes `values`, the rest 0. */
  allocate(memory: KernelMemory, values?: ScalarValues<F>): RecordAt<F>;
}

/**
 * The record with these fields, laid out in their order as in C: each begins at the next multiple of its element's
 * size. `name` is that of its class in AssemblyScript.
 */
export function defineRecord<const F extends Fields>(name: string, fields: F): MemoryRecord<F> {
  const offsets: Record<string, number> = {};
  let bytes = 0;
  for (const [field, { type, length = 1 }] of Object.entries(fields)) {
    const size = ELEMENT_BYTES[type];
    offsets[field] = Math.ceil(bytes / size) * size;
    bytes = offsets[field] + length * size;
  }
  const layout = { name, fields, offsets: offsets as RecordLayout<F>['offsets'], bytes };
  const Place = placeClass(layout);
  const at = (memory: KernelMemory, pointer: number) => new Place(memory, pointer) as unknown as RecordAt<F>;
  return {
    ...layout,
    at,
    indexOf: (pointer, field) => (pointer + layout.offsets[field]) / ELEMENT_BYTES[fields[field]!.type],
    allocate: (memory, values = {}) => Object.assign(at(memory, memory.allocate(bytes)), values),
  };
}

/** A class whose instances have the fields of a record as properties. */
function placeClass({ fields, offsets }: RecordLayout): new (memory: KernelMemory, pointer: number) => object {
  const arrays = Object.entries(fields).filter(([, { length }]) => length !== undefined);
  const Place = class {
    constructor(
      readonly memory: KernelMemory,
      readonly pointer: number,
    ) {
      for (const [name, { type, length }] of arrays) {
        const first = (pointer + offsets[name]!) / ELEMENT_BYTES[type];
        Object.defineProperty(this, name, { value: memory[VIEWS[type]].subarray(first, first + length!) });
      }
    }
  };
  for (const [name, { type, length }] of Object.entries(fields)) {
    if (length === undefined) Object.defineProperty(Place.prototype, name, accessor(type, offsets[name]!));
  }
  return Place;
}

interface Place {
  readonly memory: KernelMemory;
  readonly pointer: number;
}

/** How a scalar is read and written. */
function accessor(type: ElementType, offset: number): PropertyDescriptor & ThisType<Place> {
  if (type === 'f64') {
    return {
      get() {
        return this.memory.f64[(this.pointer + offset) >> 3];
      },
      set(value: number) {
        this.memory.f64[(this.pointer + offset) >> 3] = value;
      },
    };
  }
  return {
    get() {
      return this.memory.i32[(this.pointer + offset) >> 2];
    },
    set(value: number) {
      this.memory.i32[(this.pointer + offset) >> 2] = value;
    },
  };
}
