/** Whether a call may show how a review stands. Light and apart from the reading itself: asked after every shell call. */
import type { Action } from '../action/action.ts';

export const mayShowReview = ({ surface, tool, input }: Pick<Action, 'surface' | 'tool' | 'input'>): boolean =>
  surface === 'shell'
    ? /\b(?:gh|glab|hub|tea)\b[\s\S]*\b(?:pr|mr|pulls?|pull-request)\b/.test(input.command ?? '')
    : surface === 'mcp' && /(?:pull|merge)_request/.test(tool);
