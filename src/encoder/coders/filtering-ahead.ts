// Has the GPU that searches motion filter pictures, too, before coders take them.
import type { LumaPicture } from '../../motion/estimator.js';
import type { FilterRequest } from '../../motion/filter-request.js';
import type { FilterTasks } from '../../motion/threads/filter-tasks.js';
import { SEARCH_ENTRY } from '../../motion/threads/search-entry.js';
import type { Picture } from '../../picture/picture.js';
import { isShared } from '../../threads/shared-memory.js';
import { TaskThread } from '../../threads/task-thread.js';
import { threadAt } from '../../threads/thread-at.js';
import type { SourcePictures } from '../gop/source-pictures.js';
import type { FilteredLuma } from '../picture/picture-job.js';
import { type FilteredJob, numbersOf } from '../picture/temporal-filter.js';

type Thread = TaskThread<FilterTasks, undefined>;

/** A picture that is being filtered. */
export interface FilteringPicture {
  /** Whether the GPU has answered: only then the picture is coded. */
  readonly isOver: boolean;
  /** Its filtered luma, if all went well. */
  readonly luma: FilteredLuma | undefined;
  /** The picture is coded: the luma is not read any more. */
  readonly release: () => void;
}

/**
 * Asks the thread of the GPU. Until that can filter, and where there is no place for what comes out, coders filter: the
 * pels are the same.
 */
export class FilteringAhead {
  readonly #sources: SourcePictures;
  readonly #onFiltered: () => void;
  readonly #port: MessagePort;
  #opening: Promise<void> | undefined;
  /** Once it can filter. */
  #thread: Thread | undefined;

  /** `sources` has places in the memory of the coders; `onFiltered` is called when a picture can be coded. */
  constructor(port: MessagePort, sources: SourcePictures, onFiltered: () => void) {
    this.#sources = sources;
    this.#onFiltered = onFiltered;
    this.#port = port;
  }

  /** Begins to filter a picture, unless a coder has to. The filter is made when the first picture comes. */
  begin(job: FilteredJob): FilteringPicture | undefined {
    this.#opening ??= this.#open().catch(() => {}); // no filter
    const thread = this.#thread;
    const { quantizerScale, picture, around } = job;
    // Others would be copied.
    const areAllShared = () => [picture, ...around.map(other => other.picture)].every(({ y }) => isShared(y.buffer));
    if (!thread || !areAllShared()) return undefined;
    const numbers = numbersOf(job);
    const place = numbers && this.#sources.takePlace();
    if (!place) return undefined;
    const target = new Uint8Array(place.buffer, place.first, picture.y.length);
    const copies: ArrayBuffer[] = [];
    const copied = (components: Int16Array) => {
      const copy = components.slice();
      copies.push(copy.buffer);
      return copy;
    };
    const references = around.map(({ picture: other, dx, dy, isReversed }) => ({
      picture: lumaOf(other),
      dx: copied(dx),
      dy: copied(dy),
      isReversed,
    }));
    const request: FilterRequest = { current: lumaOf(picture), references, numbers, target };
    const filtering = { isOver: false, luma: undefined as FilteredLuma | undefined, release: () => {} };
    const settle = (isDone: boolean) => {
      if (isDone) filtering.luma = { y: place.first, quantizerScale };
      else this.#thread = undefined;
      filtering.isOver = true;
      this.#onFiltered();
    };
    thread.ask('filter', request, copies).then(
      isDone => {
        filtering.release = () => this.#sources.free.push(place);
        settle(isDone);
      },
      () => settle(false), // whether anybody still writes to the place is not known
    );
    return filtering;
  }

  /** No picture is filtered any more; that thread is told, whether it runs or not. */
  close(): void {
    this.#thread = undefined;
    this.#port.close();
  }

  async #open(): Promise<void> {
    const thread: Thread = await TaskThread.start<FilterTasks, undefined>({
      entry: SEARCH_ENTRY,
      data: undefined,
      keptThreads: threadAt(this.#port),
      onReport: () => {},
    });
    if (await thread.ask('open', false)) this.#thread = thread;
  }
}

/** In browsers, which lend no threads, `no-filtering.ts` takes the place of this file. */
export function filterAhead(...given: ConstructorParameters<typeof FilteringAhead>): FilteringAhead {
  return new FilteringAhead(...given);
}

function lumaOf({ id, grid, y }: Picture): LumaPicture {
  return { id, width: grid.codedWidth, height: grid.codedHeight, pels: y };
}
