// The entry of the lookahead's thread on Node.
import { answerMessages } from '../../../threads/node/answer-messages.js';
import { lookaheadWork } from './lookahead-work.js';

export default answerMessages(lookaheadWork);
