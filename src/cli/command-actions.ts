// What each command of `mpegpu` runs.
import type { CommandName } from './flags/flag-row.js';

/** Takes the arguments of a command, then its flags, then the command itself, as commander gives them. */
type Action = (...given: never[]) => Promise<void>;

/** Loads what a command runs: the other commands start sooner. */
export const COMMAND_ACTIONS: Readonly<Record<CommandName, () => Promise<Action>>> = {
  encode: async () => (await import('./encode/encode-command.js')).encode,
  plan: async () => (await import('./chunks/plan-command.js')).plan,
  'encode-chunk': async () => (await import('./chunks/encode-chunk-command.js')).encodeOne,
  assemble: async () => (await import('./chunks/assemble-command.js')).assemble,
  'farm submit': async () => (await import('./farm/submit-command.js')).runSubmit,
  'farm worker': async () => (await import('./farm/worker-command.js')).runFarmWorker,
  'farm status': async () => (await import('./farm/job-commands.js')).runStatus,
  'farm cancel': async () => (await import('./farm/job-commands.js')).runCancel,
  'farm up': async () => (await import('./farm/up-command.js')).runFarmUp,
  estimate: async () => (await import('./estimate/estimate-command.js')).estimate,
  locate: async () => (await import('./locate/locate-command.js')).locate,
  compare: async () => (await import('./compare/compare-command.js')).compare,
  disparity: async () => (await import('./disparity/disparity-command.js')).disparity,
  devices: async () => (await import('./devices/devices-command.js')).devices,
};
