// What a pool's thread runs: it imports the thread's entry. A pool loads its file by `require`, and Node 20 ends the
// whole process where a thread is stopped in the middle of requiring an ES module; of importing one, it does not.
import threads = require('node:worker_threads');
import urls = require('node:url');

import type { TaskMessage, TaskReply } from '../thread-messages.js' with { 'resolution-mode': 'import' };

/** The default export of an entry, made by `answerMessages`. */
type Answer = (message: TaskMessage) => Promise<TaskReply<unknown>>;

const entry: Promise<{ default: Answer }> = import(urls.pathToFileURL(threads.workerData.entry).href);

const answer: Answer = async message => (await entry).default(message);

export = answer;
