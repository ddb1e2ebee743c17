// What a pool's thread runs: it imports the thread's entry. A pool loads its file by `require`, and Node 20 ends the
// whole process where a thread is stopped in the middle of requiring an ES module; of importing one, it does not.
import threads = require('node:worker_threads');
import urls = require('node:url');

/** The default export of an entry, made by `answerMessages`. */
type AnswerMessages = (port: threads.MessagePort) => void;

const entry: Promise<{ default: AnswerMessages }> = import(urls.pathToFileURL(threads.workerData).href);

const answer = async (port: threads.MessagePort): Promise<void> => (await entry).default(port);

export = answer;
