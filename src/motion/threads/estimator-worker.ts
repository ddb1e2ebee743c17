// The entry of a search thread on Node.
import { answerMessages } from '../../threads/node/answer-messages.js';
import { estimatorWork } from './estimator-work.js';

export default answerMessages(estimatorWork);
