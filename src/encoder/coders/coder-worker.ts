// The entry of a coder thread on Node.
import { answerMessages } from '../../threads/node/answer-messages.js';
import { coderWork } from './coder-work.js';

export default answerMessages(coderWork);
