/** A request as the owner reads it: the change that is asked for and its consequences. */
import type { RequestRecord } from '../../internal/grant/records.ts';
import { visible } from '../../internal/view/visible.ts';

/** The lines of a request; of its object at most `lines`. */
export function shownRequest(request: RequestRecord, lines: number): string {
  const { object } = request;
  const text = object.text.split('\n');
  const shown = text.slice(0, lines);
  const more = text.length > lines ? [`            … ${text.length - lines} more lines`] : [];
  return visible(
    [
      `  asks for  ${request.need}`,
      `  because   ${request.why}`,
      ...shown.map(
        (line, at) =>
          `  ${at === 0 ? (object.kind === 'diff' ? 'diff    ' : object.kind === 'call' ? 'call    ' : 'command ') : '        '}  ${line}`,
      ),
      ...more,
      `  in        ${object.cwd}`,
      `  digest    ${object.digest}`,
      ...object.files.slice(0, 8).map((file) => `  file      ${file.path}  ${file.digest.slice(0, 19)}…`),
      ...request.refusals.map(
        (each) => `  refused   ${each.rule}: ${each.says.replaceAll('`', '')}\n            boundary ${each.boundary}`,
      ),
      `  undo      ${request.recovery}`,
      ...(request.preview ? [`  look      ${request.preview}`] : []),
    ].join('\n'),
  );
}
