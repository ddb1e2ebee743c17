// The entry of an analysis thread on Node.
import { answerMessages } from '../../../threads/node/answer-messages.js';
import { analysisWork } from './analysis-work.js';

export default answerMessages(analysisWork);
