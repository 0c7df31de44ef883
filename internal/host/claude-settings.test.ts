import { describe, expect, it } from 'vitest';
import { applied, freshSettings, hooksDisabled, isWaygateHook, SettingsError, unwire, wire, wiredIn } from './claude-settings.ts';

const COMMAND = "/opt/node '/home/dev/.local/share/waygate/0.1.0/waygate.cjs' hook --host claude-code";

const files: Record<string, string> = {
  'two spaces': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls:*)"] }\n}\n',
  tabs: '{\n\t"model": "opus"\n}\n',
  'four spaces, no line feed at the end': '{\n    "model": "opus"\n}',
  'carriage returns': '{\r\n  "model": "opus"\r\n}\r\n',
  'one line': '{"model":"opus"}',
  'empty object': '{}\n',
  'empty object with a gap': '{\n\n}\n',
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'other events':
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  },\n  "model": "opus"\n}\n',
  'empty PreToolUse': '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
  'another guard':
    '{\n  "hooks": {\n    "PreToolUse": [\n      {\n        "matcher": "Bash",\n        "hooks": [{ "type": "command", "command": "./guard.sh" }]\n      }\n    ]\n  }\n}\n',
  'unknown keys, odd order, unicode': '{ "z": [1, 2.50, 1e3],\n"a": "naïve \\u00e9 {\\"hooks\\":1}", "nested": {"x": null} }\n',
  'byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'a key twice': '{\n  "model": "a",\n  "model": "b"\n}\n',
};

describe('wiring and unwiring', () => {
  for (const [name, before] of Object.entries(files)) {
    it(`${name}: keeps what is there, and is undone byte by byte`, () => {
      const edit = wire(before, COMMAND)!;
      const after = applied(before, edit);
      expect(wiredIn(after).map((each) => each.command)).toEqual([COMMAND]);
      const { hooks: _hooks, ...kept } = JSON.parse(after.replace('\ufeff', ''));
      const { hooks: _before, ...had } = JSON.parse(before.replace('\ufeff', ''));
      expect(kept).toEqual(had);
      expect(wire(after, COMMAND)).toBeUndefined();
      expect(unwire(after, [edit])).toBe(before);
    });

    it(`${name}: taken out without a memory of the edit`, () => {
      const after = unwire(applied(before, wire(before, COMMAND)!), []);
      expect(wiredIn(after)).toEqual([]);
      const had = JSON.parse(before.replace('\ufeff', ''));
      const has = JSON.parse(after.replace('\ufeff', ''));
      expect({ ...has, hooks: undefined }).toEqual({ ...had, hooks: undefined });
    });
  }

  it('undoes its edit although other parts of the file changed since', () => {
    const edit = wire(files['two spaces']!, COMMAND)!;
    const changed = applied(files['two spaces']!, edit).replace('"opus"', '"sonnet"');
    expect(unwire(changed, [edit])).toBe(files['two spaces']!.replace('"opus"', '"sonnet"'));
  });

  it('takes only its own entry when somebody added to its group', () => {
    const settings = JSON.parse(applied('{}', wire('{}', COMMAND)!));
    settings.hooks.PreToolUse[0].hooks.push({ type: 'command', command: './other.sh' });
    const after = JSON.parse(unwire(JSON.stringify(settings, null, 2), []));
    expect(after.hooks.PreToolUse[0].hooks).toEqual([{ type: 'command', command: './other.sh' }]);
  });

  it('moves an older wiring to the new command and keeps its other fields', () => {
    const old =
      '{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"waygate hook --host claude-code","timeout":30}]}]}}';
    const after = applied(old, wire(old, COMMAND)!);
    expect(JSON.parse(after).hooks.PreToolUse).toEqual([{ matcher: '*', hooks: [{ type: 'command', command: COMMAND, timeout: 30 }] }]);
  });

  it('adds a full wiring beside one with a narrow matcher', () => {
    const narrow = '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"waygate hook"}]}]}}';
    expect(wiredIn(applied(narrow, wire(narrow, COMMAND)!)).map((each) => each.matcher)).toEqual(['Bash', '*']);
  });

  it('wires an empty file', () => {
    const edit = wire('', COMMAND)!;
    expect(applied('', edit)).toBe(freshSettings(COMMAND));
    expect(unwire(applied('', edit), [edit])).toBe('');
  });
});

describe('settings that cannot be used', () => {
  it.each([
    ['{"a": 1,}', /1:9 expected a key/],
    ['{"a": tru}', /1:7 expected a value/],
    ['{\n  "a": 1\n  "b": 2\n}', /3:3 expected `,` or `}`/],
    ['{"a": "x', /1:7 expected the end of this string/],
    ['[]', /no JSON object/],
    ['{"hooks": []}', /`hooks` is an array/],
    ['{"hooks": {"PreToolUse": {}}}', /`hooks.PreToolUse` is no array/],
    ['// note\n{}', /1:1 expected a value/],
  ])('%s', (text, message) => {
    expect(() => wire(text, COMMAND)).toThrow(SettingsError);
    expect(() => wire(text, COMMAND)).toThrow(message);
  });
});

describe('recognizing', () => {
  it.each([
    ['waygate hook --host claude-code', true],
    [COMMAND, true],
    ['"C:\\Program Files\\waygate.exe" hook', true],
    ['/opt/waygate hook', true],
    ['waygate doctor', false],
    ['notwaygate hook', false],
    ['true # waygate hooks', false],
  ])('%s', (command, expected) => expect(isWaygateHook(command)).toBe(expected));

  it('reads the exec form', () => {
    const text = JSON.stringify({
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'waygate', args: ['hook', '--host', 'claude-code'] }] }] },
    });
    expect(wiredIn(text)).toMatchObject([{ command: 'waygate hook --host claude-code', matcher: undefined }]);
  });

  it('sees hooks switched off', () => {
    expect(hooksDisabled('{"disableAllHooks": true}')).toBe(true);
    expect(hooksDisabled('{"disableAllHooks": false}')).toBe(false);
  });
});
