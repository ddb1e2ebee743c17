// Figures of a worker for Prometheus.
import { once } from 'node:events';
import type { Server } from 'node:http';
import { UnsupportedError } from '../../errors.js';
import { loadOptional } from '../load-optional.js';
import type { StepOutcome } from './step-outcome.js';

/** Bounds of the histogram of a step's time, in seconds. */
const SECONDS = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000];

/** Serves the figures of a worker over HTTP, at any path. To be closed. */
export class WorkerMetrics {
  readonly #server: Server;
  /** Takes the outcome of a step. */
  readonly onStep: (outcome: StepOutcome) => void;

  private constructor(server: Server, onStep: (outcome: StepOutcome) => void) {
    this.#server = server;
    this.onStep = onStep;
  }

  /** Starts to serve at a port; 0 takes a free one. Throws an UnsupportedError if that is not possible. */
  static async start(port: number): Promise<WorkerMetrics> {
    const prometheus = await loadOptional(() => import('prom-client'), 'metrics', 'prom-client');
    const { Counter, Histogram, Registry, collectDefaultMetrics } = prometheus.default;
    const register = new Registry();
    collectDefaultMetrics({ register });
    const seconds = new Histogram({
      name: 'mpegpu_farm_step_seconds',
      help: 'Time of a step, by kind and outcome',
      buckets: SECONDS,
      labelNames: ['kind', 'outcome'],
      registers: [register],
    });
    const frames = new Counter({
      name: 'mpegpu_farm_frames_total',
      help: 'Frames of steps that were done, by kind',
      labelNames: ['kind'],
      registers: [register],
    });
    const { createServer } = await import('node:http'); // loaded on demand: commands start sooner
    const server = createServer(async (_, response) => {
      response.setHeader('content-type', register.contentType);
      response.end(await register.metrics());
    });
    server.listen(port);
    try {
      await once(server, 'listening');
    } catch (error) {
      throw new UnsupportedError(`metrics cannot be served at port ${port}: ${(error as Error).message}`);
    }
    return new WorkerMetrics(server, ({ kind, outcome, seconds: took, frames: count }) => {
      seconds.observe({ kind, outcome }, took);
      if (outcome === 'done') frames.inc({ kind }, count);
    });
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
