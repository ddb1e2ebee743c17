// What this browser offers, in words.
import { byId, element } from './page.ts';

/** One thing that a browser has or has not. */
interface Offer {
  readonly name: string;
  readonly isThere: boolean;
  readonly text: string;
}

/** Says what this browser offers. */
export async function showOffers(): Promise<void> {
  const offers = [processors(), isolation(), await gpu(), codecs(), camera()];
  byId('offers').replaceChildren(
    ...offers.map(({ name, isThere, text }) =>
      element('li', { class: isThere ? 'yes' : 'no' }, element('span', {}, element('b', {}, `${name}. `), text)),
    ),
  );
}

function processors(): Offer {
  const { hardwareConcurrency: count } = navigator;
  const text = `${count} hardware thread${count === 1 ? '' : 's'}. The encode runs in a worker, so the page never waits for it.`;
  return { name: 'Processor', isThere: count > 1, text };
}

function isolation(): Offer {
  const text = crossOriginIsolated
    ? 'This page is isolated: threads share one memory.'
    : 'This page is not isolated (that takes two headers of the server), so memory cannot be shared between threads. The stream is the same.';
  return { name: 'Shared memory', isThere: crossOriginIsolated, text };
}

async function gpu(): Promise<Offer> {
  const name = 'WebGPU';
  const { gpu: offered } = navigator as {
    gpu?: { requestAdapter(): Promise<{ info?: Record<string, string> } | null> };
  };
  if (!offered) return { name, isThere: false, text: 'Not in this browser. The CPU searches motion.' };
  const adapter = await offered.requestAdapter().catch(() => null);
  if (!adapter)
    return { name, isThere: false, text: 'The browser knows it, but offers no adapter. The CPU searches motion.' };
  const { vendor, architecture, description } = adapter.info ?? {};
  const words = [description, vendor, architecture].filter(Boolean).join(', ');
  return {
    name,
    isThere: true,
    text: `An adapter is there${words === '' ? '' : `: ${words}`}. The gpu estimators can use it.`,
  };
}

function codecs(): Offer {
  const isThere = 'VideoDecoder' in globalThis;
  const text = isThere
    ? 'Pictures of films are taken as the decoder gives them, in its own colours.'
    : 'Not in this browser: films cannot be read.';
  return { name: 'WebCodecs', isThere, text };
}

function camera(): Offer {
  const isThere = navigator.mediaDevices !== undefined;
  const text = isThere ? 'It can be asked for; you decide.' : 'Needs a page over https, or from localhost.';
  return { name: 'Camera', isThere, text };
}
