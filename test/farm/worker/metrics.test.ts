// The figures that a worker serves for Prometheus.
import { expect, it } from 'vitest';
import { WorkerMetrics } from '../../../src/farm/worker/metrics.js';

it('counts steps by kind and outcome, and the frames of those that were done', async () => {
  const metrics = await WorkerMetrics.start(0);
  try {
    metrics.onStep({ kind: 'encode', outcome: 'done', seconds: 2, frames: 40 });
    metrics.onStep({ kind: 'encode', outcome: 'failed', seconds: 5, frames: 7 });
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
    expect(text).toContain('mpegpu_farm_frames_total{kind="encode"} 40');
    expect(text).toContain('mpegpu_farm_step_seconds_sum{kind="encode",outcome="failed"} 5');
    expect(text).toContain('mpegpu_farm_step_seconds_bucket{le="1",kind="encode",outcome="done"} 0');
    expect(text).toContain('process_cpu_seconds_total');
    await expect(WorkerMetrics.start(metrics.port)).rejects.toThrow(/metrics cannot be served at port .*EADDRINUSE/);
  } finally {
    await metrics.close();
  }
});
